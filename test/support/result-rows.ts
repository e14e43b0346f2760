import type { ScoringResult } from '../../schemas/generated/scoring-result.js';
import { timestamp } from '../../runtime/clickhouse/timestamp.js';
import { scoringResultsSink } from '../../sinks/scoring-results/index.js';

/** Where a result came from, and when Kafka and ClickHouse had it; times in microseconds since 1970. */
export interface Origin {
  readonly partition: number;
  readonly offset: number;
  /** Offset of the record before, -1 for the first of all. */
  readonly previous: number;
  readonly resultAppendedAt: number;
  readonly insertedAt?: number;
}

/** The row that the sink makes of a result, with what its loop adds, as one line of JSON. */
export function rowOfResult(value: ScoringResult, origin: Origin): string {
  const { partition, offset, previous, resultAppendedAt, insertedAt } = origin;
  const topic = scoringResultsSink.from.name;
  const record = { topic, partition, offset, key: value.id, value, appendedAt: resultAppendedAt };
  return `${JSON.stringify({
    ...(JSON.parse(scoringResultsSink.row(record)) as object),
    _topic: topic,
    _partition: partition,
    _offset: offset,
    _run: 'r',
    _previous_offset: previous,
    ...(insertedAt === undefined ? {} : { inserted_at: timestamp(insertedAt).slice(0, -3) }),
  })}\n`;
}
