import type { EncodedRecord } from '../kafka/produce/records.js';
import type { Replay } from '../../schemas/generated/replay.js';
import type { TakenReplay } from './replay-log.js';

/**
 * The transactions of one replay, one after the other; each state is made of the one before. Says every few seconds that
 * somebody works on the replay, however long a portion takes. After a failure nothing is committed any more.
 */
export class CommitsInTurn {
  private last: Promise<void> = Promise.resolve();
  private committedAt = performance.now();
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly taken: TakenReplay,
    /** It gives a word where nothing has come of the replay for so long: others take a silent one over. */
    wordEveryMs: number,
    private readonly failed: (error: unknown) => void,
  ) {
    this.timer = setInterval(() => {
      if (performance.now() - this.committedAt < wordEveryMs) return;
      void this.commit([], (state) => state).catch(() => undefined);
    }, wordEveryMs).unref();
  }

  /** Names this process alone, wherever the replay has to leave a name. */
  get owner(): string {
    return this.taken.owner;
  }

  /** As it was committed last. */
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
