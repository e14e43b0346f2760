import type { Store, StoredRow } from '../clusters/read/store.js';
import { timestampOf } from './timestamps.js';
import { behindInTrace, ofTrace, positionOf } from './of-trace.js';
import { afterTraceSpan } from './trace-query.js';
import type { AfterTraceSpan } from './trace-reader.js';

/** As many as the edge can answer without keeping other requests waiting. */
const spansPerPage = 10_000;

/**
 * The outline of a trace: what is needed to draw each of its spans, in the order in which they started. A
 * span that was sent twice is listed once.
 */
export async function readTrace(
  store: Store,
  workspace: string,
  trace: string,
  after: AfterTraceSpan | undefined,
): Promise<object | undefined> {
  const rows = await store.query<StoredRow>(
    `SELECT SpanId AS span_id, ParentSpanId AS parent_span_id, application, ServiceName AS service,
        SpanName AS operation, lower(SpanKind) AS kind, lower(StatusCode) AS status, Duration / 1e6 AS duration_ms,
        toString(toUnixTimestamp64Nano(Timestamp)) AS began,
        length(SpanAttributes) AS attributes, length(Events.Name) AS events, length(Links.TraceId) AS links
     FROM telltale.otel_traces
     WHERE ${ofTrace} ${behindInTrace}
     ORDER BY Timestamp, SpanId LIMIT 1 BY SpanId LIMIT {limit:UInt32}`,
    { workspace, trace, ...positionOf(after), limit: spansPerPage + 1 },
  );
  const first = after?.first ?? textOf(rows[0]?.['began']);
  if (first === undefined) return undefined;
  const spans = rows.slice(0, spansPerPage);
  const last = rows.length > spansPerPage ? spans.at(-1) : undefined;
  const start = BigInt(first);
  return {
    trace_id: trace,
    start: timestampOf(first),
    spans: spans.map(({ began, attributes, events, links, ...row }) => ({
      ...row,
      offset_ms: Number(BigInt(String(began)) - start) / 1e6,
      ...{ attributes: Number(attributes), events: Number(events), links: Number(links) },
    })),
    next:
      last === undefined
        ? null
        : afterTraceSpan.write({
            first,
            at: String(last['began']),
            span: String(last['span_id']),
          }),
  };
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
