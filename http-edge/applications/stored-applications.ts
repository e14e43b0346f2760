import { isoOfMillis, type Store, type StoredRow } from '../clusters/read/store.js';
import type { BoundedRange } from '../results/result-reader.js';
import { timestampOf } from '../traces/timestamps.js';
import type { ApplicationReader } from './application-reader.js';
import { inMinutes, minutesOf, type Minutes } from './minutes.js';
import { readCalls } from './stored-calls.js';

const mostApplications = 200;
const mostOperations = 200;
const slowestCalls = 20;

/** The same expressions as in the projection `entries_by_minute`, so that ClickHouse reads no span. */
const figures = `count() AS requests, countIf(StatusCode = 'Error') AS errors,
  quantilesTDigest(0.5, 0.95, 0.99)(Duration) AS durations`;
/** Quantile states are costly to merge, but too few rows for ClickHouse to share among threads itself. */
const sharedAmongThreads =
  'SETTINGS merge_tree_min_rows_for_concurrent_read = 16384, merge_tree_min_bytes_for_concurrent_read = 1048576';
const ofEntries = `FROM telltale.otel_traces WHERE workspace = {workspace:String} AND is_entry AND ${inMinutes}`;

/** Reads applications from ClickHouse as a read-only user. The clock gives milliseconds since 1970. */
export function storedApplications(store: Store, clock: () => number): ApplicationReader {
  return {
    list: (workspace, range) => readApplications(store, workspace, minutesOf(range), clock() / 1_000),
    operations: (workspace, range, application) =>
      readOperations(store, workspace, minutesOf(range), application, clock() / 1_000),
    calls: (workspace, range: BoundedRange) => readCalls(store, workspace, minutesOf(range)),
  };
}

/**
 * One query reads totals and series: `in_series` is 0 in the row with an application's totals. It is limited
 * to the listed applications, because a workspace can have any number of them.
 */
async function readApplications(
  store: Store,
  workspace: string,
  minutes: Minutes,
  now: number,
): Promise<object> {
  const rows = await store.query<StoredRow>(
    `WITH listed AS
     (
         SELECT application ${ofEntries} GROUP BY application ORDER BY count() DESC, application LIMIT ${mostApplications + 1}
     )
     SELECT application, toUnixTimestamp(toStartOfMinute(Timestamp)) - toUnixTimestamp(toStartOfMinute(Timestamp)) % {step:UInt32} AS at,
        grouping(at) = 0 AS in_series, ${figures}
     ${ofEntries} AND application IN (SELECT application FROM listed)
     GROUP BY application, at WITH ROLLUP HAVING grouping(application) = 0 ORDER BY application, at
     ${sharedAmongThreads}`,
    { workspace, ...minutes },
  );
  const series = new Map<unknown, object[]>();
  for (const { application, at, in_series: isPoint, ...row } of rows) {
    if (!isPoint) continue;
    const points = series.get(application) ?? [];
    points.push({
      at: isoOfMillis(Number(at) * 1_000),
      ...figuresOf(row, secondsWithin(minutes, Number(at), now)),
    });
    series.set(application, points);
  }
  const totals = rows
    .filter(({ in_series: isPoint }) => !isPoint)
    .sort((one, other) => Number(other['requests']) - Number(one['requests']));
  return {
    ...boundsOf(minutes),
    step_seconds: minutes.step,
    applications: totals.slice(0, mostApplications).map(({ application, ...row }) => ({
      application,
      ...figuresOf(row, secondsUntilNow(minutes, now)),
      series: series.get(application) ?? [],
    })),
    cut: totals.length > mostApplications,
  };
}

/**
 * The seconds that count in the bucket starting at `at`: the first and the last can lie partly outside the
 * range, or in the future.
 */
const secondsWithin = ({ since, until, step }: Minutes, at: number, now: number): number =>
  secondsUntilNow({ since: Math.max(since, at), until: Math.min(until, at + step) }, now);

/** The rest of the current minute has no data yet. */
const secondsUntilNow = ({ since, until }: Pick<Minutes, 'since' | 'until'>, now: number): number =>
  Math.max(1, Math.min(until, now) - since);

async function readOperations(
  store: Store,
  workspace: string,
  minutes: Minutes,
  application: string | undefined,
  now: number,
): Promise<object> {
  const condition = application === undefined ? '' : 'AND application = {application:String}';
  const parameters = { workspace, ...minutes, ...(application !== undefined && { application }) };
  const [rows, slowest] = await Promise.all([
    store.query<StoredRow>(
      `SELECT application, ServiceName AS service, SpanName AS operation, ${figures} ${ofEntries} ${condition}
       GROUP BY application, service, operation
       ORDER BY requests DESC, application, service, operation LIMIT ${mostOperations + 1}
       ${sharedAmongThreads}`,
      parameters,
    ),
    // Equal durations come newest first: ordering them by an id would read the ids of all spans.
    store.query<StoredRow>(
      `SELECT TraceId AS trace_id, SpanId AS span_id, application, ServiceName AS service, SpanName AS operation,
          lower(StatusCode) AS status, Duration / 1e6 AS duration_ms, toString(toUnixTimestamp64Nano(Timestamp)) AS began
       FROM telltale.otel_traces
       WHERE workspace = {workspace:String} AND is_entry AND Timestamp >= toDateTime({since:UInt32})
         AND Timestamp < toDateTime({until:UInt32}) ${condition}
       ORDER BY Duration DESC, Timestamp DESC LIMIT ${slowestCalls}`,
      parameters,
    ),
  ]);
  return {
    ...boundsOf(minutes),
    operations: rows.slice(0, mostOperations).map(({ application: of, service, operation, ...row }) => ({
      ...{ application: of, service, operation },
      ...figuresOf(row, secondsUntilNow(minutes, now)),
    })),
    cut: rows.length > mostOperations,
    slowest: slowest.map(({ began, ...row }) => ({ ...row, start: timestampOf(String(began)) })),
  };
}

const boundsOf = ({ since, until }: Minutes): object => ({
  from: isoOfMillis(since * 1_000),
  to: isoOfMillis(until * 1_000),
});

function figuresOf({ requests, errors, durations }: StoredRow, seconds: number): object {
  const [p50, p95, p99] = (durations as readonly number[]).map((ns) => ns / 1e6);
  const calls = Number(requests);
  return {
    requests: calls,
    errors: Number(errors),
    per_second: calls / seconds,
    ...{ p50_ms: p50, p95_ms: p95, p99_ms: p99 },
  };
}
