import { minutesOf } from '../applications/minutes.js';
import { isoOfMillis, type Store, type StoredRow } from '../clusters/read/store.js';
import type { BoundedRange } from '../results/result-reader.js';
import { disjointConditionsOf } from './span-conditions.js';
import type { SpanFilter } from './trace-reader.js';

const nsPerMs = 1_000_000;

/** Where duration bands start, in nanoseconds: 0, then 1, 2 and 5 of each decade, from 10 µs to 1,000 s. */
const edges: readonly number[] = [
  0,
  ...[4, 5, 6, 7, 8, 9, 10, 11].flatMap((power) => [1, 2, 5].map((digit) => digit * 10 ** power)),
  10 ** 12,
];

/**
 * More than the bands: a cell is its step times this, plus its band. Counting by one small number is fastest.
 */
const bandsPerStep = 32;

/** The band of a duration: how many edges it has reached. `roundDown` is slower: it searches for each row. */
const band = edges
  .slice(1)
  .map((edge) => `(Duration >= ${edge})`)
  .join(' + ');

/** The bounds have the column's own precision: any other would be converted for each row. */
const cellsSql = (conditions: string): string =>
  `SELECT toUInt16((intDiv(toUnixTimestamp(Timestamp), {step:UInt32}) - {first:UInt32}) * ${bandsPerStep} + ${band}) AS cell,
      count() AS spans, countIf(StatusCode = 'Error') AS errors
   FROM telltale.otel_traces
   WHERE workspace = {workspace:String}
     AND Timestamp >= toDateTime64({since:UInt32}, 9) AND Timestamp < toDateTime64({until:UInt32}, 9)
     ${conditions}
   GROUP BY cell`;

/** Nearly all rows that are read are of the workspace and range: a separate step to check that costs more. */
const settings = 'SETTINGS enable_multiple_prewhere_read_steps = 0';

/** How many spans had which duration, over time. */
export async function readDurations(
  store: Store,
  workspace: string,
  range: BoundedRange,
  filter: SpanFilter,
): Promise<object> {
  const { since, until, step } = minutesOf(range);
  const first = Math.floor(since / step);
  const parts = disjointConditionsOf(filter).map(cellsSql);
  const rows = await store.query<StoredRow>(
    `SELECT cell, sum(spans) AS spans, sum(errors) AS errors FROM (${parts.join(' UNION ALL ')}) GROUP BY cell ORDER BY cell ${settings}`,
    { workspace, ...filter, since, until, step, first },
  );
  return {
    from: isoOfMillis(since * 1_000),
    to: isoOfMillis(until * 1_000),
    step_seconds: step,
    edges_ms: edges.map((ns) => ns / nsPerMs),
    cells: rows.map(({ cell, spans, errors }) => ({
      at: isoOfMillis((first + Math.floor(Number(cell) / bandsPerStep)) * step * 1_000),
      from_ms: (edges[Number(cell) % bandsPerStep] ?? 0) / nsPerMs,
      ...{ spans: Number(spans), errors: Number(errors) },
    })),
  };
}
