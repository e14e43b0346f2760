import { TelltaleError } from '../../errors.js';
import type { Counter } from '../../metrics.js';
import type { PendingAppend } from './batch-queue.js';
import type { EncodedRecord } from './appender.js';

interface PendingAppendsOptions {
  readonly timeoutMs: number;
  readonly failures: Counter<'code'>;
  /** Queues the records of a stage; returns their bytes. */
  readonly queue: (append: PendingAppend, stage: readonly EncodedRecord[]) => number;
  readonly onQueued: () => void;
  /** Called while appends wait, and once after: records of those that were answered need not be sent. */
  readonly onSweep: () => void;
}

const sweepEveryMs = 50;

/**
 * The appends whose callers wait. Each goes stage by stage, until all are durable, one has failed, or its time is over.
 */
export class PendingAppends {
  /** Bytes of the stages that are not queued yet. */
  bytesAhead = 0;
  private readonly pending = new Set<PendingAppend>();
  private sweeper: NodeJS.Timeout | undefined;

  constructor(private readonly options: PendingAppendsOptions) {}

  get size(): number {
    return this.pending.size;
  }

  begin(stages: readonly (readonly EncodedRecord[])[], bytes: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const append: PendingAppend = {
        stages: stages.filter((stage) => stage.length > 0),
        expiresAt: performance.now() + this.options.timeoutMs,
        stage: -1,
        outstanding: 0,
        bytesAhead: bytes,
        settled: false,
        resolve,
        reject,
      };
      this.bytesAhead += bytes;
      this.pending.add(append);
      this.sweeper ??= setInterval(() => this.sweep(), sweepEveryMs);
      this.advance(append);
    });
  }

  /** One record of the append is durable. */
  confirmed(append: PendingAppend): void {
    append.outstanding -= 1;
    if (append.outstanding === 0 && !append.settled) this.advance(append);
  }

  settle(append: PendingAppend, error?: TelltaleError): void {
    if (append.settled) return;
    append.settled = true;
    this.pending.delete(append);
    this.bytesAhead -= append.bytesAhead;
    if (error === undefined) {
      append.resolve();
      return;
    }
    this.options.failures.inc({ code: error.code });
    append.reject(error);
  }

  stop(): void {
    clearInterval(this.sweeper);
  }

  /** Begins with the next stage, or answers the caller where there is none. */
  private advance(append: PendingAppend): void {
    append.stage += 1;
    const stage = append.stages[append.stage];
    if (stage === undefined) {
      this.settle(append);
      return;
    }
    append.outstanding = stage.length;
    const bytes = this.options.queue(append, stage);
    append.bytesAhead -= bytes;
    this.bytesAhead -= bytes;
    this.options.onQueued();
  }

  /** Appends stand in the order in which they expire. */
  private sweep(): void {
    const { timeoutMs, onSweep } = this.options;
    const now = performance.now();
    for (const append of this.pending) {
      if (append.expiresAt > now) break;
      const topic = append.stages[append.stage]?.[0]?.topic ?? '';
      this.settle(append, new TelltaleError('APPEND_TIMED_OUT', { topic, ms: timeoutMs }));
    }
    onSweep();
    if (this.pending.size > 0) return;
    clearInterval(this.sweeper);
    this.sweeper = undefined;
  }
}
