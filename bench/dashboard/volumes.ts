import { connectClickHouse, type ClickHouse } from '../../runtime/clickhouse/client.js';
import { stageTimestamps } from '../../schemas/hops.js';
import type { Pipeline } from '../../test/support/pipeline.js';
import { until } from '../../test/support/until.js';

export interface Volumes {
  readonly spans: number;
  readonly results: number;
  readonly events: number;
}

/** Rows per insert: as many as the server can hold in memory beyond its queries. Results are wide rows. */
const rowsPerInsert = 500_000;
const resultsAnInsert = 20_000;
const spansPerTrace = 5;
const secondsBack = 86_000;
const scoredText = 'The ferry was late, but the crew was lovely.';

/** The id of the trace with this number. */
export const traceIdOf = (trace: number): string => trace.toString(16).padStart(32, '0');

/** Fills the workspace by SQL with this many rows over a day: the pipeline would take hours for them. */
export async function loadVolumes(
  pipeline: Pipeline,
  workspace: string,
  { spans, results, events }: Volumes,
  say: (line: string) => void,
): Promise<void> {
  const { url, writer } = pipeline.stack.clickhouse;
  const clickhouse = connectClickHouse({ url, ...writer });
  const begin = performance.now();
  await scoreOne(pipeline, workspace);
  await inSteps(clickhouse, spans, rowsPerInsert, (from, rows) => spansSql(workspace, from, rows, spans));
  await inSteps(clickhouse, results, resultsAnInsert, (from, rows) =>
    resultsSql(workspace, from, rows, results),
  );
  await inSteps(clickhouse, events, rowsPerInsert, (from, rows) => eventsSql(workspace, from, rows, events));
  await clickhouse.close();
  say(
    `   ${spans} spans, ${results} results and ${events} events after ${((performance.now() - begin) / 1_000).toFixed(0)} s`,
  );
}

async function inSteps(
  clickhouse: ClickHouse,
  rows: number,
  step: number,
  sql: (from: number, rows: number) => string,
): Promise<void> {
  for (let from = 0; from < rows; from += step)
    await clickhouse.command(sql(from, Math.min(step, rows - from)));
}

/** Creates a result with the real scorers; the others are copies of it. */
async function scoreOne(pipeline: Pipeline, workspace: string): Promise<void> {
  const answer = await fetch(`${pipeline.edge.url}/api/v1/monitoring/metrics`, {
    method: 'POST',
    headers: { authorization: `Bearer ${pipeline.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ prompt: scoredText }),
  });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  await until('the result is stored', async () => {
    const [row] = await pipeline.query<{ rows: string }>(
      `SELECT count() AS rows FROM telltale.scoring_results WHERE workspace = '${workspace}'`,
    );
    return Number(row?.rows) > 0;
  });
}

/** Traces of five spans in eight services: a request, two calls, and a step in each. One in a hundred fails. */
function spansSql(workspace: string, from: number, rows: number, all: number): string {
  return `INSERT INTO telltale.otel_traces (
      Timestamp, TraceId, SpanId, ParentSpanId, SpanName, SpanKind, ServiceName, application, SpanAttributes, attribute_types,
      Duration, StatusCode, workspace, key_id, received_at, appended_at, end_time)
    SELECT
      now64(9) - toIntervalMillisecond(intDiv(${secondsBack}000 * trace, ${all / spansPerTrace})) AS began,
      lower(leftPad(hex(trace), 32, '0')), lower(leftPad(hex(number + 1), 16, '0')),
      if(place = 0, '', lower(leftPad(hex(number + 1 - if(place < 3, place, 2)), 16, '0'))),
      concat(['GET', 'POST', 'PUT', 'DELETE'][1 + place % 4], ' /', toString(cityHash64(trace, place) % 12)),
      ['Server', 'Client', 'Server', 'Internal', 'Internal'][1 + place],
      concat('service-', toString((trace + intDiv(place, 2)) % 8)), concat('service-', toString((trace + intDiv(place, 2)) % 8)),
      map('shelf', toString(cityHash64(number) % 10000), 'region', ['eu', 'us'][1 + trace % 2]), 'ss',
      1000000 * (1 + cityHash64(number) % 400) AS took, if(cityHash64(trace) % 100 = 0, 'Error', 'Unset'),
      '${workspace}', 'bench', began, now64(6), began + toIntervalNanosecond(took)
    FROM (SELECT number, intDiv(number, ${spansPerTrace}) AS trace, number % ${spansPerTrace} AS place FROM numbers(${from}, ${rows}))`;
}

/** Copies of the scored result over a day; one in a hundred failed. */
const resultsSql = (workspace: string, from: number, rows: number, all: number): string =>
  copiesSql(
    workspace,
    from,
    rows,
    (name) => `${name} - toIntervalMillisecond(intDiv(${secondsBack}000 * number, ${all}))`,
  );

/** Copies that are accepted now. */
export const newResultsSql = (workspace: string, rows: number): string =>
  copiesSql(workspace, 0, rows, () => 'now64(6)');

function copiesSql(
  workspace: string,
  from: number,
  rows: number,
  timestampSql: (name: string) => string,
): string {
  const moved = stageTimestamps.map((name) => `${timestampSql(name)} AS ${name}`).join(', ');
  return `INSERT INTO telltale.scoring_result_versions
    SELECT scored.* REPLACE (
      generateUUIDv4(number) AS task_id, ${moved}, concat(prompt, ' ', toString(number), ['', ' harbour'][1 + number % 2]) AS prompt,
      if(number % 100 = 7, 'The scorer gave up.', error) AS error, sin(number) AS prompt_sentiment_lexicon)
    FROM (SELECT number FROM numbers(${from}, ${rows})) AS times
    CROSS JOIN (SELECT * FROM telltale.scoring_results WHERE workspace = '${workspace}' AND prompt = '${scoredText}' LIMIT 1) AS scored`;
}

/** Fifty metrics of four clusters. */
const eventsSql = (workspace: string, from: number, rows: number, all: number): string =>
  `INSERT INTO telltale.events (workspace, metric, cluster, type, value, occurred_at, received_at, appended_at, key_id, source)
   SELECT '${workspace}', concat('metric-', toString(number % 50)), concat('cluster-', toString(intDiv(number, 50) % 4)),
     ['gauge', 'increment', 'distribution', 'percentage', 'systembyte'][1 + number % 5], cityHash64(number) % 100,
     now64(6) - toIntervalMillisecond(intDiv(${secondsBack}000 * number, ${all})) AS occurred, occurred, now64(6), 'bench', 'agent'
   FROM numbers(${from}, ${rows})`;
