import { randomUUID } from 'node:crypto';
import { spansDataset } from '../../http-edge/agent-batches/spans-dataset.js';
import type { ClickHouse } from '../../runtime/clickhouse/client.js';
import { readTraces } from '../../schemas/otlp/read-request.js';
import { spansSink } from '../../sinks/spans/index.js';
import { insertRecords } from './insert-records.js';
import { spansCodec } from './spans-codec.js';

/** Stores the spans of requests as the agent, edge and sink do, without Kafka and HTTP between them. */
export async function insertSpans(
  clickhouse: ClickHouse,
  bodies: readonly Buffer[],
  topic: string,
  token: string = randomUUID(),
  workspace = 'acme',
): Promise<void> {
  const dataset = spansDataset(spansCodec);
  const context = { workspace, keyId: 'k', receivedAt: Date.now() * 1_000 };
  const blocks = bodies.flatMap((body) => readTraces(body).blocks);
  const records = blocks
    .flatMap((block) => [...dataset.records(block, context)])
    .map(({ value }, offset) => ({ value: value ?? Buffer.alloc(0), offset, timestamp: Date.now() }));
  await insertRecords(clickhouse, spansSink, records, { token, topic });
}
