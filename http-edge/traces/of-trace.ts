/**
 * Restricts a query to one trace of a workspace. The trace's days of arrival and its stretch of time let the query skip
 * the other parts of the table; neither of them identifies the workspace.
 */
export const ofTrace = `workspace = {workspace:String} AND TraceId = {trace:String}
  AND toDate(appended_at) IN (SELECT appended_on FROM telltale.otel_traces_trace_id_ts WHERE TraceId = {trace:String})
  AND Timestamp >= (SELECT min(Start) FROM telltale.otel_traces_trace_id_ts WHERE TraceId = {trace:String})
  AND Timestamp <= (SELECT max(End) + 1 FROM telltale.otel_traces_trace_id_ts WHERE TraceId = {trace:String})`;
