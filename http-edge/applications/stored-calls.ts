import { isoOfMillis, type Store, type StoredRow } from '../clusters/read/store.js';
import { inMinutes, type Minutes } from './minutes.js';

/** This many spans can be joined with their parents in a fraction of a second. */
const mostSpans = 500_000;
const mostCalls = 500;
/** A call can have started before the range in which it was answered. */
const longestCallSeconds = 600;

/**
 * Which application calls which: spans of one application whose parent is a span of another. A span that its
 * client sent twice counts once. The join holds the side with fewer spans in memory.
 */
export async function readCalls(store: Store, workspace: string, minutes: Minutes): Promise<object> {
  const since = await beginOf(store, workspace, minutes);
  const rows = await store.query<StoredRow>(
    `SELECT caller.application AS calling, called.application AS called_application, count() AS calls,
        countIf(called.StatusCode = 'Error') AS errors, quantilesTDigest(0.5, 0.95, 0.99)(called.Duration) AS durations
     FROM
     (
         SELECT TraceId, SpanId, application FROM telltale.otel_traces
         WHERE workspace = {workspace:String} AND is_entry IN (true, false)
           AND Timestamp >= toDateTime({earlier:UInt32}) AND Timestamp < toDateTime({until:UInt32})
         LIMIT 1 BY TraceId, SpanId
     ) AS caller
     INNER JOIN
     (
         SELECT TraceId, SpanId, ParentSpanId, application, StatusCode, Duration FROM telltale.otel_traces
         WHERE workspace = {workspace:String} AND is_entry AND ParentSpanId != ''
           AND Timestamp >= toDateTime({since:UInt32}) AND Timestamp < toDateTime({until:UInt32})
         LIMIT 1 BY TraceId, SpanId
     ) AS called ON caller.TraceId = called.TraceId AND caller.SpanId = called.ParentSpanId
     WHERE caller.application != called.application
     GROUP BY calling, called_application ORDER BY calls DESC, calling, called_application LIMIT ${mostCalls + 1}`,
    { workspace, since, until: minutes.until, earlier: Math.max(0, since - longestCallSeconds) },
  );
  return {
    from: isoOfMillis(since * 1_000),
    to: isoOfMillis(minutes.until * 1_000),
    calls: rows
      .slice(0, mostCalls)
      .map(({ calling, called_application: called, calls, errors, durations }) => {
        const [p50, p95, p99] = (durations as readonly number[]).map((ns) => ns / 1e6);
        return {
          ...{ caller: calling, called, calls: Number(calls), errors: Number(errors) },
          ...{ p50_ms: p50, p95_ms: p95, p99_ms: p99 },
        };
      }),
    cut: rows.length > mostCalls,
  };
}

/** The first minute from which the range has few enough spans to join; at the latest its last minute. */
async function beginOf(store: Store, workspace: string, minutes: Minutes): Promise<number> {
  const rows = await store.query<StoredRow>(
    `SELECT toUnixTimestamp(toStartOfMinute(Timestamp)) AS at, count() AS spans FROM telltale.otel_traces
     WHERE workspace = {workspace:String} AND ${inMinutes} GROUP BY at ORDER BY at DESC`,
    { workspace, ...minutes },
  );
  let spans = 0;
  let since = minutes.since;
  for (const row of rows) {
    spans += Number(row['spans']);
    if (spans > mostSpans && since !== minutes.since) return since;
    since = Number(row['at']);
  }
  return minutes.since;
}
