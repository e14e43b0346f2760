import { isoOfMillis, type Store, type StoredRow } from '../clusters/read/store.js';
import type { Page } from '../clusters/page.js';
import type { BoundedRange } from '../results/result-reader.js';
import { timestampOf } from './timestamps.js';
import { conditionsOf } from './span-conditions.js';
import { readDurations } from './stored-durations.js';
import { readOtlp } from './stored-otlp.js';
import { readTrace } from './stored-trace.js';
import type { AfterSpan, SpanFilter, TraceReader } from './trace-reader.js';

const nsAMs = 1_000_000;
/** What the table's clock can hold: in the year 2262. */
const lastNs = 2n ** 63n - 1n;
const lastUs = Number(lastNs / 1_000_000n) * 1_000;
const endOfTime: AfterSpan = { at: String(lastNs), trace: 'f'.repeat(32), span: 'f'.repeat(16) };

/** Reads traces from ClickHouse as a read-only user. */
export function storedTraces(store: Store): TraceReader {
  return {
    search: (workspace, page, range, filter) => search(store, workspace, page, range, filter),
    durations: (workspace, range, filter) => readDurations(store, workspace, range, filter),
    one: (workspace, trace, after) => readTrace(store, workspace, trace, after),
    otlp: (workspace, trace, span) => readOtlp(store, workspace, trace, span),
  };
}

/** Newest first. What is stored meanwhile moves nothing from one page to another. */
async function search(
  store: Store,
  workspace: string,
  page: Page<AfterSpan>,
  range: BoundedRange,
  filter: SpanFilter,
): Promise<object> {
  const rows: StoredRow[] = [];
  for (const { from, to } of stretchesOf(range, page.after, filter)) {
    rows.push(
      ...(await readSpans(store, workspace, page, { from, to }, filter, page.limit + 1 - rows.length)),
    );
    if (rows.length > page.limit) break;
  }
  const found = rows.slice(0, page.limit);
  const last = rows.length > page.limit ? found.at(-1) : undefined;
  return {
    from: isoOfMillis(range.from / 1_000),
    to: isoOfMillis(range.to / 1_000),
    spans: found.map(({ at: began, status, kind, ...row }) => ({
      ...row,
      kind: String(kind).toLowerCase(),
      status: String(status).toLowerCase(),
      start: timestampOf(String(began)),
    })),
    next:
      last === undefined
        ? null
        : page.cursors.write({
            at: String(last['at']),
            trace: String(last['trace_id']),
            span: String(last['span_id']),
          }),
  };
}

/**
 * No projection has attributes, so a search by one reads whole rows: those of the newest part of the range first,
 * because most searches find enough there.
 */
function stretchesOf(
  { from, to }: BoundedRange,
  after: AfterSpan | undefined,
  filter: SpanFilter,
): readonly BoundedRange[] {
  if (filter.attributeKey === undefined) return [{ from, to }];
  // The span at which a page ends may have others with the same timestamp behind it.
  const end = after === undefined ? to : Math.min(to, Number(BigInt(after.at) / 1_000n) + 1);
  const bounds = [end, ...stretchShares.map((share) => Math.ceil(end - (end - from) * share)), from];
  return bounds
    .slice(1)
    .map((begin, at) => ({ from: begin, to: bounds[at] ?? end }))
    .filter((stretch) => stretch.from < stretch.to);
}

const stretchShares = [1 / 16, 1 / 4];

function readSpans(
  store: Store,
  workspace: string,
  page: Page<AfterSpan>,
  range: BoundedRange,
  filter: SpanFilter,
  limit: number,
): Promise<readonly StoredRow[]> {
  const { at, trace, span } = page.after ?? endOfTime;
  return store.query<StoredRow>(
    `SELECT TraceId AS trace_id, SpanId AS span_id, ParentSpanId AS parent_span_id, application, ServiceName AS service,
        SpanName AS operation, SpanKind AS kind, StatusCode AS status, Duration / ${nsAMs} AS duration_ms,
        toString(toUnixTimestamp64Nano(Timestamp)) AS at
     FROM telltale.otel_traces
     WHERE workspace = {workspace:String}
       AND Timestamp >= fromUnixTimestamp64Micro({since:Int64}) AND Timestamp < fromUnixTimestamp64Micro({until:Int64})
       AND Timestamp <= fromUnixTimestamp64Nano({at:Int64})
       AND (Timestamp < fromUnixTimestamp64Nano({at:Int64}) OR (TraceId, SpanId) < ({trace:String}, {span:String}))
       ${conditionsOf(filter)}
     ORDER BY Timestamp DESC, TraceId DESC, SpanId DESC LIMIT {limit:UInt32}`,
    {
      ...{ workspace, ...filter, at, trace, span, limit },
      ...{ since: Math.min(range.from, lastUs), until: Math.min(range.to, lastUs) },
    },
  );
}
