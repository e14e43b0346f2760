import { randomUUID } from 'node:crypto';
import type { KafkaMessage } from 'kafkajs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { TelltaleError } from '../errors.js';
import { deadLetterRecord } from '../kafka/dead-letter.js';
import { patiently, type SinkEnvironment, type Tenure } from './environment.js';
import { mostSkipped, tokenOf, type CommitMetadata, type Intent } from './intent.js';
import { refusedRows, type RecordOfRows } from './refused-rows.js';
import { recordOf } from './row-of.js';
import { chainedRows, type SinkRecord } from './row-range.js';
import type { StartingPoint } from './starting-point.js';

/** Commits an offset of this partition with its metadata; rejects with PartitionLost once the tenure has ended. */
export type Commit = (offset: number, metadata: CommitMetadata) => Promise<void>;

/** What one fetch brought of the partition. */
export interface FetchedMessages {
  readonly messages: readonly KafkaMessage[];
  /** The offset after all of it, control records included. */
  readonly end: number;
  /** Nothing more is known to come: what is under way is finished and committed now. */
  readonly last: boolean;
}

/** Records between two turns of the event loop, which an insert under way needs to move on. */
const recordsATurn = 200;

/**
 * One partition of a sink, from one assignment to the next. Why each record is inserted exactly once:
 *
 * 1. A range is inserted only after its intent, that is where it begins, its last offset and what it leaves out, has been
 *    committed with the group's offset. A commit is only taken from the group's present generation.
 * 2. Whoever owns the partition later reads that commit and inserts the same records with the same token. Rows are a
 *    function of their records, and the chain of the range's beginning; so the bytes are the same too.
 * 3. ClickHouse stores one insert of a token, within the table's deduplication window: this holds against a crash
 *    between insert and commit, an answer that was lost, and a predecessor whose insert arrives late. An intended range
 *    that is complete in the table already is not sent at all, however far the window has moved since.
 * 4. The next intent is only committed once the insert before it is confirmed: never is more than one range open, and
 *    none is passed over. One commit says both.
 * 5. What becomes no row (undecodable, or refused for its content) is a durable dead letter before the commit passes it.
 *    Rows that are refused are found without inserting any, and are named in the intent before the others go in.
 */
export class PartitionSink<In> {
  private readonly run: string;
  /** First offset of the next range; everything before it is in the table or in the range under way. */
  private from: number;
  private next: number;
  private previous: number;
  private recovering: Intent | undefined;
  private pending: SinkRecord[] = [];
  private pendingRows = 0;
  private pendingBytes = 0;
  /** When the first of the pending records was appended, in milliseconds since 1970. */
  private oldestAppend = 0;
  private underWay: Promise<void> = Promise.resolve();
  private uncommitted = false;

  constructor(
    private readonly environment: SinkEnvironment<In>,
    private readonly partition: number,
    private readonly tenure: Tenure,
    start: StartingPoint,
  ) {
    this.run = start.run ?? randomUUID().slice(0, 8);
    this.from = start.next;
    this.next = start.next;
    this.previous = start.previous;
    this.recovering = start.intent;
    if (start.intent !== undefined) environment.metrics.recovered();
  }

  /** The next offset that it must be given. */
  get position(): number {
    return this.next;
  }

  /** Retention has removed what would have come next. */
  skipTo(offset: number): void {
    this.next = offset;
    if (this.pending.length === 0 && this.recovering === undefined) this.from = offset;
  }

  /** The offsets `first` to `last` hold nothing that becomes a row. */
  passOver(first: number, last: number): void {
    if (first > this.next || last < this.next) return;
    this.next = last + 1;
    if (this.pending.length === 0 && this.recovering === undefined) this.from = this.next;
  }

  async take({ messages, end, last }: FetchedMessages, commit: Commit): Promise<void> {
    let sinceTurn = 0;
    for (const message of messages) {
      if (Number(message.offset) < this.next) continue;
      if (this.pending.length === 0) this.oldestAppend = Number(message.timestamp);
      await this.add(await recordOf(this.environment, this.partition, message, this.tenure), commit);
      if (++sinceTurn % recordsATurn === 0) await nextTurn();
    }
    this.next = Math.max(this.next, end);
    if (this.recovering === undefined) {
      if (this.pending.length > 0) await this.startRange(commit);
      this.from = Math.max(this.from, this.next);
    }
    if (last) await this.finish(commit);
  }

  /** Waits for the range under way and commits it on its own. */
  private async finish(commit: Commit): Promise<void> {
    await this.underWay;
    // What was left over of a range that had too many refused rows.
    while (this.pending.length > 0 && this.recovering === undefined) {
      await this.startRange(commit);
      await this.underWay;
    }
    if (!this.uncommitted || this.recovering !== undefined) return;
    await commit(this.from, { run: this.run, previous: this.previous });
    this.uncommitted = false;
  }

  private async add(record: SinkRecord, commit: Commit): Promise<void> {
    if (this.recovering !== undefined && record.offset > this.recovering.hi) await this.startRange(commit);
    this.next = record.offset + 1;
    this.pending.push(record);
    if (record.kind === 'row') {
      this.pendingRows += record.json.length;
      for (const json of record.json) this.pendingBytes += json.length;
    }
    const { rows, bytes } = this.environment.limits;
    const complete =
      this.recovering === undefined
        ? Math.max(this.pending.length, this.pendingRows) >= rows || this.pendingBytes >= bytes
        : record.offset >= this.recovering.hi;
    if (complete) await this.startRange(commit);
  }

  /** Closes the pending range: commits its intent, and with it the range before, and sends it on its way. */
  private async startRange(commit: Commit): Promise<void> {
    await this.underWay;
    const records = this.pending;
    this.pending = [];
    this.pendingRows = 0;
    this.pendingBytes = 0;
    const { from, recovering, oldestAppend } = this;
    this.recovering = undefined;
    const last = records.at(-1);
    if (last === undefined) return;
    const intent = recovering ?? { hi: last.offset, skip: [] };
    if (recovering === undefined) {
      await commit(from, { run: this.run, previous: this.previous, intent });
    }
    this.from = last.offset + 1;
    this.uncommitted = true;
    this.underWay = this.insert(records, from, intent, recovering !== undefined, commit).then(() =>
      this.environment.metrics.latency((Date.now() - oldestAppend) / 1_000),
    );
    this.underWay.catch(() => undefined); // it is awaited before anything is committed
  }

  private async insert(
    records: readonly SinkRecord[],
    from: number,
    intent: Intent,
    again: boolean,
    commit: Commit,
  ): Promise<void> {
    const { environment, partition, tenure } = this;
    const { sink, clickhouse, metrics, progressed } = environment;
    const skip = new Set(intent.skip);
    await this.bury(records.filter(({ offset }) => !skip.has(offset)));
    const rows = records.filter(
      (record): record is RecordOfRows => record.kind === 'row' && !skip.has(record.offset),
    );
    const chained = chainedRows(rows, this.previous, this.run);
    const token = tokenOf({ topic: sink.from.name, partition }, this.run, from, intent);
    if (chained.rows > 0 && !(again && (await this.isComplete(from, intent, chained.rows)))) {
      const started = performance.now();
      try {
        await patiently(environment, tenure, () => clickhouse.insert(sink.table, chained.ndjson, token));
      } catch (error) {
        if (!(error instanceof TelltaleError) || error.code !== 'ROWS_REJECTED') throw error;
        await this.insertWithout(rows, from, intent, error, commit);
        return;
      }
      metrics.inserted(chained.rows, chained.ndjson.length, (performance.now() - started) / 1_000);
    }
    this.previous = chained.last;
    progressed();
  }

  /** Names what ClickHouse refuses in the intent, and inserts the range without it. */
  private async insertWithout(
    rows: readonly RecordOfRows[],
    from: number,
    intent: Intent,
    rejection: TelltaleError,
    commit: Commit,
  ): Promise<void> {
    const most = mostSkipped - intent.skip.length;
    const { refused, complete, reason } = await refusedRows(
      this.environment,
      this.partition,
      rows,
      most,
      this.tenure,
    );
    const lastRefused = refused.at(-1);
    // The table refuses what its columns take: an operator has to see to it, and nothing may be skipped meanwhile.
    if (lastRefused === undefined) throw rejection;
    await this.bury(
      refused.map(({ offset, source }) => ({
        offset,
        kind: 'dead',
        letter: { ...source, code: 'ROWS_REJECTED', reason },
      })),
    );
    const hi = complete ? intent.hi : lastRefused.offset;
    const narrowed: Intent = { hi, skip: [...intent.skip, ...refused.map(({ offset }) => offset)] };
    await commit(from, { run: this.run, previous: this.previous, intent: narrowed });
    const rest = rows.filter(({ offset }) => offset > hi);
    if (rest.length > 0) {
      this.pending.unshift(...rest);
      this.from = hi + 1;
    }
    await this.insert(
      rows.filter(({ offset }) => offset <= hi),
      from,
      narrowed,
      false,
      commit,
    );
  }

  /** Whether every row of an intended range is in the table. */
  private async isComplete(from: number, { hi }: Intent, rows: number): Promise<boolean> {
    const { environment, partition, tenure } = this;
    const { sink, clickhouse } = environment;
    const [found] = await patiently(environment, tenure, () =>
      clickhouse.query<{ rows: string }>(
        `SELECT uniqExact(${'row' in sink ? '_offset' : '_offset, _index'}) AS rows FROM ${sink.table}
         WHERE _topic = {topic:String} AND _partition = {partition:UInt32} AND _run = {run:String}
           AND _offset BETWEEN {from:UInt64} AND {hi:UInt64}`,
        { topic: sink.from.name, partition, run: this.run, from, hi },
      ),
    );
    return Number(found?.rows) === rows;
  }

  /** Appends the dead letters among the records; resolves once they are durable. */
  private async bury(records: readonly SinkRecord[]): Promise<void> {
    const { environment, partition, tenure } = this;
    const { sink, deadLetters, metrics, logger } = environment;
    const dead = records.filter((record) => record.kind === 'dead');
    if (dead.length === 0) return;
    const letters = dead.map(({ offset, letter }) =>
      deadLetterRecord({ topic: sink.from.name, partition, offset, stage: sink.name, ...letter }),
    );
    await patiently(environment, tenure, () => deadLetters.append(letters));
    for (const { offset, letter } of dead) {
      metrics.deadLetter(letter.code);
      logger.error(
        { sink: sink.name, partition, offset, code: letter.code, reason: letter.reason },
        'dead letter',
      );
    }
  }
}
