import { TelltaleError } from '../errors.js';
import { mostSkipped, tokenOf, type Intent } from './intent.js';
import type { Commit, PartitionWork } from './partition-work.js';
import { refusedRows } from './refused-rows.js';
import type { RowRange } from './row-range.js';
import type { DeadRecord, SourceMessage } from './sink-record.js';

/** A range whose intent is committed. */
export interface IntendedRange {
  readonly range: RowRange;
  readonly from: number;
  readonly intent: Intent;
  /** A predecessor intended it, and may have inserted it. */
  readonly again: boolean;
}

/** What has become of it. */
export interface InsertedRange {
  /** Offset of the last row in the table. */
  readonly previous: number;
  /** Records behind the refused ones of a range that had more of them than one commit can name; they are the next range. */
  readonly leftOver: readonly SourceMessage[];
}

/** Makes the range's dead letters durable and inserts its rows, once; without those that ClickHouse refuses. */
export async function insertRange<In>(
  work: PartitionWork<In>,
  intended: IntendedRange,
  commit: Commit,
): Promise<InsertedRange> {
  const { range, from, intent } = intended;
  await work.bury(range.dead);
  if (range.rows > 0 && !(intended.again && (await isComplete(work, intended)))) {
    try {
      await insertRows(work, range, tokenOf(work.provenance, work.run, from, intent));
    } catch (error) {
      if (!(error instanceof TelltaleError) || error.code !== 'ROWS_REJECTED') throw error;
      return insertWithoutRefused(work, intended, error, commit);
    }
  }
  work.environment.progressed();
  return { previous: range.last, leftOver: [] };
}

async function insertRows<In>(work: PartitionWork<In>, range: RowRange, token: string): Promise<void> {
  const { sink, clickhouse, metrics } = work.environment;
  const started = performance.now();
  await work.patiently(() => clickhouse.insert(sink.table, range.ndjson, token));
  metrics.inserted(range.rows, range.length, (performance.now() - started) / 1_000);
}

/** Names what ClickHouse refuses in the intent, and inserts the range without it. */
async function insertWithoutRefused<In>(
  work: PartitionWork<In>,
  { range, from, intent }: IntendedRange,
  rejection: TelltaleError,
  commit: Commit,
): Promise<InsertedRange> {
  const most = mostSkipped - intent.skip.length;
  const { refused, complete, reason } = await refusedRows(work, range.sources, most);
  const lastRefused = refused.at(-1);
  // The table refuses what its columns take: an operator has to see to it, and nothing may be skipped meanwhile.
  if (lastRefused === undefined) throw rejection;
  await work.bury(refused.map((message) => refusedLetter(message, reason)));
  const hi = complete ? intent.hi : Number(lastRefused.offset);
  const narrowed: Intent = { hi, skip: [...intent.skip, ...refused.map(({ offset }) => Number(offset))] };
  await commit(from, { run: work.run, previous: range.previous, intent: narrowed });
  const skip = new Set(refused);
  const taken = range.sources.filter((message) => Number(message.offset) <= hi && !skip.has(message));
  const rest = await work.rangeOf(taken, range.previous);
  const inserted = await insertRange(work, { range: rest, from, intent: narrowed, again: false }, commit);
  const behind = range.sources.filter(({ offset }) => Number(offset) > hi);
  return { previous: inserted.previous, leftOver: [...inserted.leftOver, ...behind] };
}

const refusedLetter = ({ offset, key, value }: SourceMessage, reason: string): DeadRecord => ({
  offset: Number(offset),
  kind: 'dead',
  letter: { key, value, code: 'ROWS_REJECTED', reason },
});

/** Whether every row of an intended range is in the table. */
async function isComplete<In>(
  work: PartitionWork<In>,
  { range, from, intent }: IntendedRange,
): Promise<boolean> {
  const { environment, provenance, run } = work;
  const { sink, clickhouse } = environment;
  const [found] = await work.patiently(() =>
    clickhouse.query<{ rows: string }>(
      `SELECT uniqExact(${provenance.indexed ? '_offset, _index' : '_offset'}) AS rows FROM ${sink.table}
       WHERE _topic = {topic:String} AND _partition = {partition:UInt32} AND _run = {run:String}
         AND _offset BETWEEN {from:UInt64} AND {hi:UInt64}`,
      { topic: provenance.topic, partition: provenance.partition, run, from, hi: intent.hi },
    ),
  );
  return Number(found?.rows) === range.rows;
}
