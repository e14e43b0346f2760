import { randomUUID } from 'node:crypto';
import type { ClickHouse } from '../../runtime/clickhouse/client.js';
import type { ScoringResult } from '../../schemas/generated/scoring-result.js';
import { scoringResultsSink } from '../../sinks/scoring-results/index.js';
import { encoderOf, insertRecords } from './insert-records.js';

/** The position of a result, and when Kafka and ClickHouse stored it, in microseconds since 1970. */
export interface Origin {
  readonly partition: number;
  readonly offset: number;
  /** Offset of the previous record, -1 for the first. */
  readonly previous: number;
  readonly resultAppendedAt: number;
  readonly insertedAt?: number;
}

export interface ResultRow {
  readonly value: ScoringResult;
  readonly origin: Origin;
}

const encode = encoderOf(scoringResultsSink);
/** The sink's own statement, with a given insert time. */
const dated = scoringResultsSink.insert
  .replace('_previous_offset\n)', '_previous_offset, inserted_at\n)')
  .replace('_previous_offset\nFROM', '_previous_offset, fromUnixTimestamp64Milli({at:Int64})\nFROM');

/** Stores results like the sink, each in a separate insert. */
export async function insertResults(clickhouse: ClickHouse, rows: readonly ResultRow[]): Promise<void> {
  for (const { value, origin } of rows) {
    const { partition, offset, previous, resultAppendedAt, insertedAt = Date.now() * 1_000 } = origin;
    const record = { value: encode(value), offset, timestamp: Math.round(resultAppendedAt / 1_000) };
    const destination = { token: randomUUID(), partition, previous, statement: dated };
    const more = { at: Math.round(insertedAt / 1_000) };
    await insertRecords(clickhouse, scoringResultsSink, [record], { ...destination, more });
  }
}
