import type { EncodedRecord } from '../kafka/produce/appender.js';
import type { Replay } from '../../schemas/generated/replay.js';
import type { TakenReplay } from './replay-log.js';

/**
 * The transactions of one replay, one after another; each state is derived from the previous one. To show
 * that the replay is being worked on, it commits every few seconds, however long a portion takes. After a
 * failure it commits nothing more.
 */
export class OrderedCommits {
  private last: Promise<void> = Promise.resolve();
  private committedAt = performance.now();
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly taken: TakenReplay,
    /**
     * After this long without a commit, the state is committed again: other processes take over a silent
     * replay.
     */
    keepAliveMs: number,
    private readonly failed: (error: unknown) => void,
  ) {
    this.timer = setInterval(() => {
      if (performance.now() - this.committedAt < keepAliveMs) return;
      void this.commit([], (state) => state).catch(() => undefined);
    }, keepAliveMs).unref();
  }

  /** A name unique to this process, for the gates and shadows of the replay. */
  get owner(): string {
    return this.taken.owner;
  }

  /** The state that was committed last. */
  get state(): Replay {
    return this.taken.state;
  }

  /** Rejects with the error of the first transaction that failed. */
  settled(): Promise<void> {
    return this.last;
  }

  commit(records: readonly EncodedRecord[], next: (state: Replay) => Replay): Promise<void> {
    this.last = this.last.then(async () => {
      await this.taken.commit(records, next(this.state));
      this.committedAt = performance.now();
    });
    this.last.catch(this.failed);
    return this.last;
  }

  stop(): void {
    clearInterval(this.timer);
  }
}
