import { TelltaleError } from '../../runtime/errors.js';
import type { SpanBlock } from '../../schemas/otlp/span-block.js';
import { writeTraces } from '../../schemas/otlp/write-request.js';
import type { Store } from '../clusters/read/store.js';
import { ofTrace } from './of-trace.js';
import { blockOf, spanColumns, type StoredSpan } from './span-rows.js';

/** As many as the edge can write without keeping other requests waiting. */
const mostOtlpSpans = 2_000;

/**
 * A trace, or one span of it, as it was received: an OTLP/JSON request, with the spans of one resource and scope
 * together.
 */
export async function readOtlp(
  store: Store,
  workspace: string,
  trace: string,
  span: string | undefined,
): Promise<object | undefined> {
  const rows = await store.query<StoredSpan>(
    `SELECT ${spanColumns} FROM telltale.otel_traces
     WHERE ${ofTrace} ${span === undefined ? '' : 'AND SpanId = {span:String}'}
     ORDER BY Timestamp, SpanId LIMIT 1 BY SpanId LIMIT {limit:UInt32}`,
    { workspace, trace, ...(span !== undefined && { span }), limit: mostOtlpSpans + 1 },
  );
  if (rows.length > mostOtlpSpans)
    throw new TelltaleError('QUERY_TOO_LARGE', { reason: `more than ${mostOtlpSpans} spans` });
  if (rows.length === 0) return undefined;
  return writeTraces([...grouped(rows).values()]);
}

function grouped(rows: readonly StoredSpan[]): ReadonlyMap<string, SpanBlock> {
  const blocks = new Map<string, SpanBlock>();
  for (const row of rows) {
    const { resource, scope, ScopeName, ScopeVersion } = row;
    const key = JSON.stringify([resource, scope, ScopeName, ScopeVersion]);
    const block = blockOf(row);
    const before = blocks.get(key);
    blocks.set(key, before === undefined ? block : { ...block, spans: [...before.spans, ...block.spans] });
  }
  return blocks;
}
