import { setImmediate as nextTurn } from 'node:timers/promises';
import type { LogRecord } from '../kafka/protocol/record-batches.js';
import type { SinkEnvironment, Assignment } from './environment.js';
import type { Intent } from './intent.js';
import { PartitionWork, type Commit } from './partition-work.js';
import { insertRange, type IntendedRange } from './range-insert.js';
import { RecordRange, rangeOf } from './record-range.js';
import type { SinkRecord, StoredRecord } from './sink-record.js';
import type { RunStart } from './starting-point.js';

/** The records of one fetch of the partition. */
export interface FetchedRecords {
  readonly records: readonly LogRecord[];
  /** The offset after the last of them, control records included. */
  readonly end: number;
  /** No more records are known: the range under way is finished and committed now. */
  readonly last: boolean;
}

/** Records per turn of the event loop; an insert in progress needs further turns to proceed. */
const recordsPerTurn = 1_000;

/**
 * One partition of a sink, from one assignment to the next. Why each record is inserted exactly once:
 *
 * 1. A range is inserted only after its intent (where it starts, its last offset and what it leaves out) has
 *    been committed with the group's offset. A commit is accepted only from the group's present generation.
 * 2. The partition's next owner reads that commit and inserts the same records with the same token. The bytes
 *    depend only on the records, and on the chain from the start of the range. So they are the same too.
 * 3. ClickHouse stores one insert per token, within the deduplication windows of the table and of its views.
 *    This covers a crash between insert and commit, a lost answer, and a predecessor whose insert arrives
 *    late. An intended range is sent again even if the table has all of it, because its views may not. The
 *    exception: the window has moved past it since, and the table is complete.
 * 4. The next intent is committed only once the previous insert is confirmed: there is never more than one
 *    open range, and none is skipped. One commit records both.
 * 5. A record without a row (undecodable, or refused for its content) is a durable dead letter before the
 *    commit passes it. Refused rows are found without inserting any, and the intent names them before the
 *    others are inserted.
 */
export class PartitionSink {
  private readonly work: PartitionWork;
  /** First offset of the next range; everything before it is in the table or in the range under way. */
  private from: number;
  private next: number;
  /** Offset of the last record in the table. */
  private previous: number;
  private recovering: Intent | undefined;
  private pending = new RecordRange();
  private underWay: Promise<void> = Promise.resolve();
  /** The rest of the range that was under way; inserted before the pending range. */
  private leftOver: readonly StoredRecord[] = [];
  private uncommitted = false;

  constructor(
    private readonly environment: SinkEnvironment,
    partition: number,
    assignment: Assignment,
    start: RunStart,
  ) {
    this.work = new PartitionWork(environment, partition, assignment, start.run);
    this.from = start.next;
    this.next = start.next;
    this.previous = start.previous;
    this.recovering = start.intent;
    if (start.intent !== undefined) environment.metrics.recovered();
  }

  /** The offset of the record that it expects next. */
  get position(): number {
    return this.next;
  }

  /** Skips the records before `offset`, which retention has removed. */
  skipTo(offset: number): void {
    this.next = offset;
    if (this.pending.isEmpty && this.recovering === undefined) this.from = offset;
  }

  /** Skips the offsets `first` to `last`, which hold no records. */
  passOver(first: number, last: number): void {
    if (first > this.next || last < this.next) return;
    this.next = last + 1;
    if (this.pending.isEmpty && this.recovering === undefined) this.from = this.next;
  }

  async take({ records, end, last }: FetchedRecords, commit: Commit): Promise<void> {
    let sinceTurn = 0;
    for (const source of records) {
      if (source.offset < this.next) continue;
      const made = this.work.recordOf(source);
      // Awaited only if it is a promise: awaiting every record would cost as much as decoding it.
      const record = made instanceof Promise ? await made : made;
      const isBeyond = this.recovering !== undefined && record.offset > this.recovering.hi;
      if (isBeyond) await this.startRange(commit);
      else if (!this.pending.admits(record)) await this.startRange(commit, 'schema changes');
      this.add(record);
      if (this.isComplete(record.offset)) await this.startRange(commit);
      if (++sinceTurn % recordsPerTurn === 0) await nextTurn();
    }
    this.next = Math.max(this.next, end);
    if (this.recovering === undefined) {
      if (!this.pending.isEmpty) await this.startRange(commit);
      this.from = Math.max(this.from, this.next);
    }
    if (last) await this.finish(commit);
  }

  /** Waits for the range under way and commits it on its own. */
  private async finish(commit: Commit): Promise<void> {
    await this.settle(commit);
    if (!this.uncommitted || this.recovering !== undefined) return;
    await commit(this.from, { run: this.work.run, previous: this.previous });
    this.uncommitted = false;
  }

  private add(record: SinkRecord): void {
    this.next = record.offset + 1;
    if (this.recovering?.skip.includes(record.offset) === true) this.pending.leaveOut(record.offset);
    else this.pending.add(record);
  }

  /** Whether the pending range ends with this record. */
  private isComplete(offset: number): boolean {
    if (this.recovering !== undefined) return offset >= this.recovering.hi;
    const { limits } = this.environment;
    return this.pending.records >= limits.records || this.pending.bytes >= limits.bytes;
  }

  /** Closes the pending range: commits its intent, and with it the previous range, and starts its insert. */
  private async startRange(commit: Commit, why?: 'schema changes'): Promise<void> {
    await this.settle(commit);
    const { from, previous, recovering, pending: range } = this;
    this.pending = new RecordRange();
    if (range.end === undefined) {
      this.recovering = undefined;
      return;
    }
    this.from = range.end + 1;
    if (recovering === undefined) {
      await this.intend(range, from, range.end, commit);
      return;
    }
    // A predecessor may have intended a range in which the schema changes: each part of it is checked by itself.
    const isPart = why !== undefined;
    if (!isPart) this.recovering = undefined;
    const intent = isPart ? { ...recovering, hi: range.end } : recovering;
    this.begin({ range, from, previous, intent, again: true }, commit);
  }

  /** Waits for the range under way, then inserts the rest that it has left. */
  private async settle(commit: Commit): Promise<void> {
    await this.underWay;
    for (;;) {
      const [first] = this.leftOver;
      if (first === undefined) return;
      const range = rangeOf(this.leftOver);
      this.leftOver = [];
      await this.intend(range, first.offset, range.end ?? first.offset, commit);
      await this.underWay;
    }
  }

  private async intend(range: RecordRange, from: number, hi: number, commit: Commit): Promise<void> {
    const intent: Intent = { hi, skip: [] };
    const { previous } = this;
    await commit(from, { run: this.work.run, previous, intent });
    this.begin({ range, from, previous, intent, again: false }, commit);
  }

  private begin(intended: IntendedRange, commit: Commit): void {
    this.uncommitted = true;
    this.underWay = insertRange(this.work, intended, commit).then(({ previous, leftOver }) => {
      this.previous = previous;
      this.leftOver = leftOver;
      const [oldest] = intended.range.stored;
      if (oldest !== undefined)
        this.environment.metrics.latency((Date.now() - oldest.source.timestamp) / 1_000);
    });
    this.underWay.catch(() => undefined); // it is awaited before anything is committed
  }
}
