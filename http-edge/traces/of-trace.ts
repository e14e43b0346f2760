/**
 * Holds a query to one trace of a workspace. Its days of arrival and its stretch of time spare the other parts of the
 * table; neither tells whose it is.
 */
export const ofTrace = `workspace = {workspace:String} AND TraceId = {trace:String}
  AND toDate(appended_at) IN (SELECT appended_on FROM telltale.otel_traces_trace_id_ts WHERE TraceId = {trace:String})
  AND Timestamp >= (SELECT min(Start) FROM telltale.otel_traces_trace_id_ts WHERE TraceId = {trace:String})
  AND Timestamp <= (SELECT max(End) + 1 FROM telltale.otel_traces_trace_id_ts WHERE TraceId = {trace:String})`;
