import { spansDataset } from '../../http-edge/agent/spans-dataset.js';
import { rangeOf, type RowRange } from '../../runtime/sink/row-range.js';
import type { TraceSpans } from '../../schemas/generated/trace-spans.js';
import { readTraces } from '../../schemas/otlp/read-request.js';
import { spansSink } from '../../sinks/spans/index.js';
import { spansCodec } from './spans-codec.js';

/** As the agent, the edge and the sink make rows of requests, without what moves them. */
export function rowsOf(bodies: readonly Buffer[], topic: string): RowRange {
  const dataset = spansDataset(spansCodec);
  const context = { workspace: 'acme', keyId: 'k', receivedAt: Date.now() * 1_000 };
  const blocks = bodies.flatMap((body) => readTraces(body).blocks);
  const records = blocks.flatMap((block) => [...dataset.records(block, context)]);
  const made = records.map(({ key, value }, offset) => {
    const at = { topic, partition: 0, offset };
    const decoded = spansCodec.decode(value ?? Buffer.alloc(0)) as TraceSpans;
    const rows = spansSink.rows({ ...at, key: String(key), value: decoded, appendedAt: Date.now() * 1_000 });
    const source = { key: null, value, offset: String(offset), timestamp: '0' };
    return { offset, kind: 'row' as const, json: rows, source };
  });
  return rangeOf({ topic, partition: 0, run: 'run', indexed: true }, -1, made);
}
