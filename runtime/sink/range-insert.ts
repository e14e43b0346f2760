import { TelltaleError } from '../errors.js';
import type { WriterSchema } from '../registry/writer-schemas.js';
import { mostSkipped, tokenOf, type Intent } from './intent.js';
import type { Commit, PartitionWork } from './partition-work.js';
import { rangeOf, type RecordRange } from './record-range.js';
import { refusedRecords } from './refused-records.js';
import type { DeadRecord, StoredRecord } from './sink-record.js';

/** A range whose intent is committed. */
export interface IntendedRange {
  readonly range: RecordRange;
  readonly from: number;
  /** Offset of the last stored record before it; -1 if there is none. */
  readonly previous: number;
  readonly intent: Intent;
  /** A predecessor intended the range, and may have inserted it. */
  readonly again: boolean;
}

/** The outcome of a range. */
export interface InsertedRange {
  /** Offset of the last record in the table. */
  readonly previous: number;
  /**
   * The records after the refused ones, if a range had more refused records than one commit can name; they
   * are the next range.
   */
  readonly leftOver: readonly StoredRecord[];
}

/** Makes the range's dead letters durable and inserts its records, once, without those that ClickHouse refuses. */
export async function insertRange(
  work: PartitionWork,
  intended: IntendedRange,
  commit: Commit,
): Promise<InsertedRange> {
  const { range, previous } = intended;
  await work.writeDeadLetters(range.dead);
  const { schema } = range;
  if (schema !== undefined && !(intended.again && (await isForgotten(work, intended)))) {
    try {
      await insertRecords(work, schema, intended);
    } catch (error) {
      if (!(error instanceof TelltaleError) || error.code !== 'ROWS_REJECTED') throw error;
      return insertWithoutRefused(work, schema, intended, error, commit);
    }
  }
  work.environment.progressed();
  return { previous: range.lastStored(previous), leftOver: [] };
}

async function insertRecords(
  work: PartitionWork,
  schema: WriterSchema,
  { range, from, previous, intent }: IntendedRange,
): Promise<void> {
  const { sink, metrics, tokenPrefix = '' } = work.environment;
  const { partition, run } = work;
  const started = performance.now();
  const token = `${tokenPrefix}${tokenOf({ topic: sink.from.name, partition }, run, from, intent)}`;
  const bytes = await work.insert(sink.table, { schema, records: range.stored, previous }, token);
  metrics.inserted(range.stored.length, bytes, (performance.now() - started) / 1_000);
}

/** Adds the records that ClickHouse refuses to the intent's `skip`, and inserts the range without them. */
async function insertWithoutRefused(
  work: PartitionWork,
  schema: WriterSchema,
  { range, from, previous, intent }: IntendedRange,
  rejection: TelltaleError,
  commit: Commit,
): Promise<InsertedRange> {
  const most = mostSkipped - intent.skip.length;
  const { refused, complete, reason } = await refusedRecords(work, schema, range.stored, most);
  const lastRefused = refused.at(-1);
  // The statement itself is refused: an operator has to correct it, and nothing may be skipped meanwhile.
  if (lastRefused === undefined) throw rejection;
  await work.writeDeadLetters(refused.map((record) => refusedLetter(record, reason)));
  const hi = complete ? intent.hi : lastRefused.offset;
  const narrowed: Intent = { hi, skip: [...intent.skip, ...refused.map(({ offset }) => offset)] };
  await commit(from, { run: work.run, previous, intent: narrowed });
  const skip = new Set(refused);
  const rest = rangeOf(range.stored.filter((record) => record.offset <= hi && !skip.has(record)));
  const inserted = await insertRange(
    work,
    { range: rest, from, previous, intent: narrowed, again: false },
    commit,
  );
  const behind = range.stored.filter(({ offset }) => offset > hi);
  return { previous: inserted.previous, leftOver: [...inserted.leftOver, ...behind] };
}

const refusedLetter = (
  { offset, source: { key, value, headers } }: StoredRecord,
  reason: string,
): DeadRecord => ({
  offset,
  kind: 'dead',
  letter: { key, value, headers, code: 'ROWS_REJECTED', reason },
});

/**
 * Whether every row of an intended range is in the table, and so many blocks came after them that the
 * deduplication window may have lost its token. Until then the range is sent again: the table ignores it, and
 * its views, which are written after the table, get the rows that they missed in a crash of ClickHouse.
 */
async function isForgotten(work: PartitionWork, { range, from, intent }: IntendedRange): Promise<boolean> {
  const { environment, partition, run } = work;
  const { sink } = environment;
  const isWhole = sink.rowsPerRecord === 'one' ? 'true' : 'uniqExact(_index) = any(_rows)';
  // A merged part has the number of its oldest block: rows look older than they are, and never newer.
  const [found] = await work.queryTable<{ records: string; blocks_since: string; window: string }>(
    `WITH
       (SELECT max(max_block_number) FROM system.parts WHERE concat(database, '.', table) = {table:String}) AS newest,
       (SELECT toInt64OrZero(extract(engine_full, 'deduplication_window = (\\d+)')) FROM system.tables
        WHERE concat(database, '.', name) = {table:String}) AS token_window
     SELECT count() AS records, newest - min(block) AS blocks_since, token_window AS window FROM
     (
         SELECT _offset, min(_block_number) AS block FROM ${sink.table}
         WHERE _topic = {topic:String} AND _partition = {partition:UInt32} AND _run = {run:String}
           AND _offset BETWEEN {from:UInt64} AND {hi:UInt64}
         GROUP BY _offset
         HAVING ${isWhole}
     )`,
    { table: sink.table, topic: sink.from.name, partition, run, from, hi: intent.hi },
  );
  const isComplete = Number(found?.records) === range.stored.length;
  return isComplete && Number(found?.blocks_since) >= Number(found?.window);
}
