import { minutesOf } from '../applications/minutes.js';
import { isoOfMillis, type Store, type StoredRow } from '../clusters/read/store.js';
import type { BoundedRange } from '../results/result-reader.js';
import { conditionsOf } from './span-conditions.js';
import type { SpanFilter } from './trace-reader.js';

const nsAMs = 1_000_000;

/** Where bands of durations begin, nanoseconds: 0, then 1, 2 and 5 of each decade, from 10 µs to 1,000 s. */
const edges: readonly number[] = [
  0,
  ...[4, 5, 6, 7, 8, 9, 10, 11].flatMap((power) => [1, 2, 5].map((digit) => digit * 10 ** power)),
  10 ** 12,
];

/** How many spans had which duration, over time. */
export async function readDurations(
  store: Store,
  workspace: string,
  range: BoundedRange,
  filter: SpanFilter,
): Promise<object> {
  const { since, until, step } = minutesOf(range);
  const rows = await store.query<StoredRow>(
    `SELECT intDiv(toUnixTimestamp(Timestamp), {step:UInt32}) * {step:UInt32} AS at,
        roundDown(Duration, [${edges.join(', ')}]) AS band, count() AS spans, countIf(StatusCode = 'Error') AS errors
     FROM telltale.otel_traces
     WHERE workspace = {workspace:String}
       AND Timestamp >= toDateTime({since:UInt32}) AND Timestamp < toDateTime({until:UInt32})
       ${conditionsOf(filter)}
     GROUP BY at, band ORDER BY at, band`,
    { workspace, ...filter, since, until, step },
  );
  return {
    from: isoOfMillis(since * 1_000),
    to: isoOfMillis(until * 1_000),
    step_seconds: step,
    edges_ms: edges.map((ns) => ns / nsAMs),
    cells: rows.map(({ at, band, spans, errors }) => ({
      at: isoOfMillis(Number(at) * 1_000),
      from_ms: Number(band) / nsAMs,
      ...{ spans: Number(spans), errors: Number(errors) },
    })),
  };
}
