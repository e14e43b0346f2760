import { isoOfMillis, type Store, type StoredRow } from '../clusters/read/store.js';
import type { Page } from '../clusters/page.js';
import type { BoundedRange } from '../results/result-reader.js';
import { timestampOf } from './timestamps.js';
import { conditionsOf } from './span-conditions.js';
import { readDurations } from './stored-durations.js';
import { readOtlp } from './stored-otlp.js';
import { readTrace } from './stored-trace.js';
import type { AfterSpan, SpanFilter, TraceReader } from './trace-reader.js';

const nsPerMs = 1_000_000;
/** The last time that the table's timestamps can hold, in the year 2262. */
const lastNs = 2n ** 63n - 1n;
const lastUs = Number(lastNs / 1_000_000n) * 1_000;

/** Reads traces from ClickHouse as a read-only user. */
export function storedTraces(store: Store): TraceReader {
  return {
    search: (workspace, page, range, filter) => search(store, workspace, page, range, filter),
    durations: (workspace, range, filter) => readDurations(store, workspace, range, filter),
    one: (workspace, trace, after) => readTrace(store, workspace, trace, after),
    otlp: (workspace, trace, wanted) => readOtlp(store, workspace, trace, wanted),
  };
}

/** Spans after the last one of a page. The first page omits this, because it would read two more columns. */
const behind = `AND Timestamp <= fromUnixTimestamp64Nano({at:Int64})
       AND (Timestamp < fromUnixTimestamp64Nano({at:Int64}) OR (TraceId, SpanId) < ({trace:String}, {span:String}))`;

/** Newest first. Spans that are stored between requests don't move others to another page. */
async function search(
  store: Store,
  workspace: string,
  page: Page<AfterSpan>,
  range: BoundedRange,
  filter: SpanFilter,
): Promise<object> {
  const rows = await newestSpans(page.limit, (order) =>
    filter.attributeKey === undefined
      ? readSpans(store, workspace, page, range, filter, order)
      : readNewestShareFirst(page, range, (within, limit) =>
          readSpans(store, workspace, { ...page, limit }, within, filter, order),
        ),
  );
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

const byTime = 'Timestamp DESC';
const byTimeAndId = 'Timestamp DESC, TraceId DESC, SpanId DESC';

/**
 * If the order is by time alone, ClickHouse reads the ids of only those spans that it returns. That leaves
 * spans of the same nanosecond unordered. If there are such spans on both sides of the page's end, the query
 * runs again, ordered by the ids too.
 */
async function newestSpans(
  limit: number,
  read: (order: string) => Promise<readonly StoredRow[]>,
): Promise<readonly StoredRow[]> {
  const rows = await read(byTime);
  const [last, next] = rows.slice(limit - 1);
  if (next !== undefined && next['at'] === last?.['at']) return read(byTimeAndId);
  return [...rows].sort(byTimeAndIdDescending);
}

function byTimeAndIdDescending(one: StoredRow, other: StoredRow): number {
  if (one['at'] !== other['at']) return BigInt(String(one['at'])) > BigInt(String(other['at'])) ? -1 : 1;
  const id = (row: StoredRow): string => `${String(row['trace_id'])} ${String(row['span_id'])}`;
  return id(one) > id(other) ? -1 : 1;
}

/** The spans of a page are often all in this share of the range. */
const newestShare = 1 / 8;

/**
 * A search by an attribute reads the attributes of all spans. Over the whole range, each thread of ClickHouse
 * continues until it has found a page of spans itself. It reads less if the newest share of the range is
 * queried alone first.
 */
async function readNewestShareFirst(
  page: Page<AfterSpan>,
  { from, to }: BoundedRange,
  read: (range: BoundedRange, limit: number) => Promise<readonly StoredRow[]>,
): Promise<readonly StoredRow[]> {
  const end = page.after === undefined ? to : Math.min(to, Number(BigInt(page.after.at) / 1_000n) + 1);
  const border = end - Math.floor((end - from) * newestShare);
  const newest = await read({ from: border, to: end }, page.limit);
  if (newest.length > page.limit) return newest;
  return [...newest, ...(await read({ from, to: border }, page.limit - newest.length))];
}

/**
 * ClickHouse first reads the blocks that can have the newest spans, and none that can only have older ones
 * than it has found.
 */
function readSpans(
  store: Store,
  workspace: string,
  page: Page<AfterSpan>,
  range: BoundedRange,
  filter: SpanFilter,
  order: string,
): Promise<readonly StoredRow[]> {
  return store.query<StoredRow>(
    `SELECT TraceId AS trace_id, SpanId AS span_id, ParentSpanId AS parent_span_id, application, ServiceName AS service,
        SpanName AS operation, SpanKind AS kind, StatusCode AS status, Duration / ${nsPerMs} AS duration_ms,
        toString(toUnixTimestamp64Nano(Timestamp)) AS at
     FROM telltale.otel_traces
     WHERE workspace = {workspace:String}
       AND Timestamp >= fromUnixTimestamp64Micro({since:Int64}) AND Timestamp < fromUnixTimestamp64Micro({until:Int64})
       ${page.after === undefined ? '' : behind} ${conditionsOf(filter)}
     ORDER BY ${order} LIMIT {limit:UInt32}
     SETTINGS use_skip_indexes_for_top_k = 1, use_top_k_dynamic_filtering = 1`,
    {
      ...{ workspace, ...filter, ...page.after, limit: page.limit + 1 },
      ...{ since: Math.min(range.from, lastUs), until: Math.min(range.to, lastUs) },
    },
  );
}
