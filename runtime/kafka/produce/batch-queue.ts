import type { EncodedRecord } from './appender.js';
import { TelltaleError } from '../../errors.js';
import type { Counter } from '../../metrics.js';

/** One caller's append. Its stages are sent one after another, each once the previous one is durable. */
export interface PendingAppend {
  readonly stages: readonly (readonly EncodedRecord[])[];
  readonly expiresAt: number;
  /** Index of the stage that is being sent. */
  stage: number;
  /** Records of that stage that are not confirmed yet. */
  outstanding: number;
  /** Bytes of the stages that are in no batch yet. */
  bytesAhead: number;
  /** The caller has its answer: records that are not sent yet need not be sent. */
  settled: boolean;
  resolve(): void;
  reject(error: Error): void;
}

/** Records that go to Kafka in one request, and the appends that wait for them. */
export class Batch {
  private entries: Entry[] = [];
  bytes = 0;

  /** A record that is larger than the limit goes alone. */
  takes(bytes: number, limit: number): boolean {
    return this.entries.length === 0 || this.bytes + bytes <= limit;
  }

  add(owner: PendingAppend, record: EncodedRecord, bytes: number): void {
    this.entries.push({ owner, record, bytes });
    this.bytes += bytes;
  }

  addAll({ entries, bytes }: Batch): void {
    this.entries.push(...entries);
    this.bytes += bytes;
  }

  get size(): number {
    return this.entries.length;
  }

  get records(): EncodedRecord[] {
    return this.entries.map(({ record }) => record);
  }

  /** The waiting appends, one entry per record. */
  get owners(): PendingAppend[] {
    return this.entries.map(({ owner }) => owner);
  }

  /** Removes the records of callers that have their answer; returns their bytes. */
  dropSettled(): number {
    return this.split((_, { settled }) => settled).bytes;
  }

  /** Removes the records for which `isPart` holds, and returns them. */
  split(isPart: (record: EncodedRecord, owner: PendingAppend) => boolean): Batch {
    const part = new Batch();
    if (!this.entries.some(({ record, owner }) => isPart(record, owner))) return part;
    const rest: Entry[] = [];
    for (const entry of this.entries) {
      if (!isPart(entry.record, entry.owner)) rest.push(entry);
      else part.add(entry.owner, entry.record, entry.bytes);
    }
    this.entries = rest;
    this.bytes -= part.bytes;
    return part;
  }
}

interface Entry {
  readonly owner: PendingAppend;
  readonly record: EncodedRecord;
  readonly bytes: number;
}

/** A send is never split over requests; by default brokers accept a megabyte per partition. */
const largestBatch = 768 * 1024;

/** Records that wait to be sent, in batches: each is one request. */
export class BatchQueue {
  private readonly full: Batch[] = [];
  /** Batches whose records wait for a leader. */
  private readonly held: Batch[] = [];
  private open = new Batch();
  /** The open batch has waited for more records long enough. */
  private isOver = false;

  /** An open batch of `enough` bytes does not wait for more records. */
  constructor(private readonly enough: number) {}

  add(owner: PendingAppend, record: EncodedRecord, bytes: number): void {
    if (!this.open.takes(bytes, largestBatch)) this.full.push(this.takeOpen());
    this.open.add(owner, record, bytes);
  }

  get isEmpty(): boolean {
    return this.open.size === 0 && this.full.length === 0;
  }

  /** Whether a batch is to be sent now; otherwise the open one waits for more records. */
  get isDue(): boolean {
    return this.full.length > 0 || (this.open.size > 0 && (this.isOver || this.open.bytes >= this.enough));
  }

  /** Makes the open batch due. */
  endWaiting(): void {
    this.isOver = true;
  }

  /** Adds the batches behind the due one while they fit: after an outage there are many small batches. */
  takeDue(): Batch | undefined {
    if (!this.isDue) return undefined;
    const due = this.full.shift() ?? this.takeOpen();
    while (!this.isEmpty && due.takes((this.full[0] ?? this.open).bytes, largestBatch))
      due.addAll(this.full.shift() ?? this.takeOpen());
    return due;
  }

  /** Holds back those records of the batch that wait for a leader. */
  hold(batch: Batch, waits: (record: EncodedRecord) => boolean): void {
    const held = batch.split(waits);
    if (held.size > 0) this.held.push(held);
  }

  /** Puts what was held at the head of the queue. */
  releaseHeld(): void {
    this.full.unshift(...this.held.splice(0));
  }

  /** Drops held records whose callers have their answer; returns their bytes. */
  dropSettled(): number {
    return this.held.reduce((bytes, batch) => bytes + batch.dropSettled(), 0);
  }

  private takeOpen(): Batch {
    const taken = this.open;
    this.open = new Batch();
    this.isOver = false;
    return taken;
  }
}

interface PendingAppendsOptions {
  readonly timeoutMs: number;
  readonly failures: Counter<'code'>;
  /** Queues the records of a stage; returns their bytes. */
  readonly queue: (append: PendingAppend, stage: readonly EncodedRecord[]) => number;
  readonly onQueued: () => void;
  /** Called while appends wait, and once after: records of answered appends need not be sent. */
  readonly onSweep: () => void;
}

const sweepEveryMs = 50;

/**
 * The appends whose callers wait. Each proceeds stage by stage, until all are durable, one has failed, or it
 * times out.
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

  /** Starts the next stage, or answers the caller if there is none. */
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

  /** Rejects expired appends; `pending` is in the order in which they expire. */
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
