import type { Codec } from '../../runtime/codec.js';
import type { EncodedRecord } from '../../runtime/kafka/records.js';
import { checkBlock } from '../../schemas/otlp/check-block.js';
import type { Span, SpanBlock } from '../../schemas/otlp/span-block.js';
import type { TraceSpans } from '../../schemas/generated/trace-spans.js';
import { ingestSpans } from '../../topics/ingest.js';
import type { AgentDataset, BatchContext } from './dataset.js';

/** A record that would be larger is split, as far as it has spans to be split between. */
export const largestSpansRecord = 256 * 1024;

/** Spans of agents, in blocks of one resource and scope: they become a record for each trace in a block. */
export function spansDataset(codec: Codec<TraceSpans>): AgentDataset<SpanBlock> {
  return {
    name: 'spans',
    parse: checkBlock,
    records: (blocks, context) => blocks.flatMap((block) => recordsOf(block, context, codec)),
  };
}

function recordsOf(
  block: SpanBlock,
  context: BatchContext,
  codec: Codec<TraceSpans>,
): readonly EncodedRecord[] {
  const records: EncodedRecord[] = [];
  for (const [traceId, spans] of byTrace(block.spans)) {
    const add = (some: readonly Span[]): void => {
      const value = codec.encode(traceSpans(traceId, some, block, context));
      if (value.length <= largestSpansRecord || some.length === 1) {
        records.push({ topic: ingestSpans.name, key: traceId, value });
        return;
      }
      const middle = some.length >> 1;
      add(some.slice(0, middle));
      add(some.slice(middle));
    };
    add(spans);
  }
  return records;
}

function byTrace(spans: readonly Span[]): ReadonlyMap<string, readonly Span[]> {
  const traces = new Map<string, Span[]>();
  for (const span of spans) {
    const trace = traces.get(span.trace_id);
    if (trace === undefined) traces.set(span.trace_id, [span]);
    else trace.push(span);
  }
  return traces;
}

function traceSpans(
  traceId: string,
  spans: readonly Span[],
  { application, resource, scope }: SpanBlock,
  { workspace, keyId, receivedAt }: BatchContext,
): TraceSpans {
  const given = {
    workspace,
    key_id: keyId,
    application,
    trace_id: traceId,
    received_at: receivedAt,
    resource,
    scope,
    spans,
  };
  // What a block leaves out the codec writes as the schema's default, so it need not be copied in here.
  return given as unknown as TraceSpans;
}
