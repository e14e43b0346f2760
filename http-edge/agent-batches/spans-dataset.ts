import type { Codec } from '../../runtime/codec.js';
import type { EncodedRecord } from '../../runtime/kafka/produce/appender.js';
import { checkBlock } from '../../schemas/otlp/check-block.js';
import type { Span, SpanBlock } from '../../schemas/otlp/span-block.js';
import type { TraceSpans } from '../../schemas/generated/trace-spans.js';
import { ingestSpans } from '../../topics/ingest.js';
import type { AgentDataset, BatchContext } from './dataset.js';

/** Bytes. A larger record is split until its parts fit or have one span each. */
export const largestSpansRecord = 256 * 1024;

/** Spans from agents, in blocks of one resource and scope. Each trace in a block becomes its own record. */
export function spansDataset(codec: Codec<TraceSpans>): AgentDataset<SpanBlock> {
  return {
    name: 'spans',
    parse: checkBlock,
    *records(block, context) {
      for (const [traceId, spans] of byTrace(block.spans))
        yield* recordsOf(
          spans,
          (some) => codec.encode(traceSpans(traceId, some, block, context)),
          // Encoded once here: the partitioner, the size and the record would each encode a string again.
          Buffer.from(traceId, 'latin1'),
        );
    },
  };
}

function* recordsOf(
  spans: readonly Span[],
  encode: (spans: readonly Span[]) => Buffer,
  key: Buffer,
): Iterable<EncodedRecord> {
  const value = encode(spans);
  if (value.length <= largestSpansRecord || spans.length === 1) {
    yield { topic: ingestSpans.name, key, value };
    return;
  }
  const middle = spans.length >> 1;
  yield* recordsOf(spans.slice(0, middle), encode, key);
  yield* recordsOf(spans.slice(middle), encode, key);
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
  // The codec writes the schema's defaults for fields that a block omits, so they are not set here.
  return given as unknown as TraceSpans;
}
