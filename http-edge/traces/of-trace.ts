import type { AfterTraceSpan } from './trace-reader.js';

/**
 * Restricts a query to one trace of a workspace. The trace's days of arrival and its time range let the query
 * skip the other parts of the table. Neither of them identifies the workspace.
 */
export const ofTrace = `workspace = {workspace:String} AND TraceId = {trace:String}
  AND toDate(appended_at) IN (SELECT appended_on FROM telltale.otel_traces_trace_id_ts WHERE TraceId = {trace:String})
  AND Timestamp >= (SELECT min(Start) FROM telltale.otel_traces_trace_id_ts WHERE TraceId = {trace:String})
  AND Timestamp <= (SELECT max(End) + 1 FROM telltale.otel_traces_trace_id_ts WHERE TraceId = {trace:String})`;

/** Restricts it to the spans after one of them, or to all, with the parameters of `positionOf`. */
export const behindInTrace =
  'AND (Timestamp, SpanId) > (fromUnixTimestamp64Nano({at:Int64}), {behind:String})';

export const positionOf = (
  after: AfterTraceSpan | undefined,
): { readonly at: string; readonly behind: string } => ({ at: after?.at ?? '0', behind: after?.span ?? '' });
