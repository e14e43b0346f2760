import type { SpanBlock } from '../../schemas/otlp/span-block.js';
import { writeTraces } from '../../schemas/otlp/write-request.js';
import type { Store } from '../clusters/read/store.js';
import { behindInTrace, ofTrace, positionOf } from './of-trace.js';
import { blockOf, spanColumns, type StoredSpan } from './span-rows.js';
import { afterTraceSpan } from './trace-query.js';
import type { OtlpPage, WantedOtlp } from './trace-reader.js';

/** As many as the edge can write without keeping other requests waiting. */
const spansPerPage = 2_000;

/**
 * A trace, or one span of it, as it was received: an OTLP/JSON request, with the spans of one resource and scope
 * together.
 */
export async function readOtlp(
  store: Store,
  workspace: string,
  trace: string,
  { span, after }: WantedOtlp,
): Promise<OtlpPage | undefined> {
  const rows = await store.query<StoredSpan>(
    `SELECT ${spanColumns} FROM telltale.otel_traces
     WHERE ${ofTrace} ${span === undefined ? '' : 'AND SpanId = {span:String}'} ${behindInTrace}
     ORDER BY Timestamp, SpanId LIMIT 1 BY SpanId LIMIT {limit:UInt32}`,
    {
      ...{ workspace, trace, ...positionOf(after), limit: spansPerPage + 1 },
      ...(span !== undefined && { span }),
    },
  );
  const [first] = rows;
  if (first === undefined) return undefined;
  const page = rows.slice(0, spansPerPage);
  const last = rows.length > spansPerPage ? page.at(-1) : undefined;
  return {
    request: writeTraces(grouped(page)),
    next:
      last === undefined
        ? null
        : afterTraceSpan.write({ first: after?.first ?? first.start, at: last.start, span: last.SpanId }),
  };
}

function grouped(rows: readonly StoredSpan[]): readonly SpanBlock[] {
  const groups = new Map<string, StoredSpan[]>();
  for (const row of rows) {
    const { resource, scope, ScopeName, ScopeVersion } = row;
    const key = JSON.stringify([resource, scope, ScopeName, ScopeVersion]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return [...groups.values()].flatMap((group) => {
    const [block, ...others] = group.map(blockOf);
    return block === undefined
      ? []
      : [{ ...block, spans: [...block.spans, ...others.flatMap(({ spans }) => spans)] }];
  });
}
