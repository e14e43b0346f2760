import type { Exchange } from '../../runtime/http/exchange.js';
import { checkBodyHeaders, readBody } from '../../runtime/http/body.js';
import { Problem } from '../../runtime/http/problem.js';
import type { Route } from '../../runtime/http/route.js';
import type { IngestBatch } from '../../schemas/generated/ingest-batch.js';
import type { Admission } from '../http/admission.js';
import type { BatchLog } from '../ports.js';
import { agentPath } from '../routes.js';
import { batchIdOf } from './batch-id.js';
import type { AgentDataset } from './dataset.js';
import type { BatchReader } from './batch-reader.js';

export interface AgentDependencies {
  readonly datasets: readonly AgentDataset[];
  readonly reader: Pick<BatchReader, 'read'>;
  readonly batches: BatchLog;
  readonly admission: Admission;
  /** Bytes, before and after decompression. */
  readonly bodyLimit: number;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

const ndjson = ['application/x-ndjson'];

/** `POST /api/v1/agent/<dataset>`, one route per dataset. */
export function agentRoutes(dependencies: AgentDependencies): readonly Route[] {
  return dependencies.datasets.map((dataset) => ({
    method: 'POST',
    pattern: `${agentPath}/${dataset.name}`,
    handle: (exchange) => takeBatch(exchange, dataset, dependencies),
  }));
}

/**
 * 200 once every valid line of the batch is durable. The batch is stored once, however often and to whichever edge it
 * is sent.
 */
async function takeBatch(
  exchange: Exchange,
  dataset: AgentDataset,
  { admission, reader, batches, bodyLimit, clock }: AgentDependencies,
): Promise<void> {
  const { key, headers } = await admission.admitWork(exchange, ['agent']);
  checkBodyHeaders(exchange, bodyLimit, ndjson);
  const id = batchIdOf(exchange.request.headers['batch-id']);
  const body = await readBody(exchange, bodyLimit);
  const receivedAt = Math.round(clock() * 1_000);
  const items = await reader.read(body, dataset, {
    workspace: key.workspace,
    keyId: key.key_id,
    receivedAt,
  });
  const refusal = exchange.hold(Math.max(0, items.recordBytes - body.length));
  if (refusal !== undefined) throw refusal;
  const batch = {
    ...id,
    workspace: key.workspace,
    dataset: dataset.name,
    digest: items.digest,
    accepted: items.accepted,
    rejected_count: items.rejectedCount,
    rejected: items.rejected,
    received_at: receivedAt,
  };
  const taken = await batches.appendOnce(batch, items.records);
  if (taken === undefined)
    throw new Problem(
      'conflict',
      'Another spool uses this id: a later batch, or a different one with this number, was already accepted. Use a new spool id and send the batch again.',
    );
  exchange.json(200, answerOf(taken), headers);
}

function answerOf({ accepted, rejected, rejected_count }: IngestBatch): string {
  return JSON.stringify({ accepted, rejected, rejected_count });
}
