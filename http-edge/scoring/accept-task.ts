import type { ApiKey } from '../../schemas/generated/api-key.js';
import { checkBodyHeaders, readBody } from '../../runtime/http/body.js';
import type { Exchange } from '../../runtime/http/exchange.js';
import { parseJson } from '../../runtime/http/json-body.js';
import { taskStatusPath } from '../routes.js';
import type { HotDependencies } from './dependencies.js';
import { digestOf, idempotentIds, keyConflict } from './idempotency.js';
import { textsOf, type Texts } from './metric-request.js';
import type { MetricEndpoint } from './metric-endpoints.js';
import { acceptedBody, recordsOf } from './task-records.js';

/** `POST …/task`: 202 once the queued status and the request are durable. */
export async function acceptTask(
  exchange: Exchange,
  endpoint: MetricEndpoint,
  dependencies: HotDependencies,
): Promise<void> {
  const { admission, bodyLimit, textLimit } = dependencies;
  const admitted = await admission.admitWork(exchange, ['metrics']);
  checkBodyHeaders(exchange, bodyLimit);
  const body = parseJson(await readBody(exchange, bodyLimit));
  const texts = textsOf(body, endpoint.response, textLimit);
  const idempotencyKey = exchange.request.headers['idempotency-key'];
  let taskId: string;
  if (idempotencyKey === undefined) {
    taskId = dependencies.newId();
    const nowMs = dependencies.clock();
    const records = recordsOf({ taskId, key: admitted.key, endpoint, texts, nowMs, digest: null });
    await dependencies.ports.requestLog.appendTasks([records]);
  } else {
    taskId = await acceptOnce(String(idempotencyKey), admitted.key, endpoint, texts, dependencies);
  }
  exchange.json(202, acceptedBody(endpoint, taskId), [
    'location',
    taskStatusPath(taskId),
    ...admitted.headers,
  ]);
}

async function acceptOnce(
  idempotencyKey: string,
  key: ApiKey,
  endpoint: MetricEndpoint,
  texts: Texts,
  { ports, clock }: HotDependencies,
): Promise<string> {
  const nowMs = clock();
  const { taskId, ...identity } = idempotentIds(key.workspace, idempotencyKey, nowMs);
  const digest = digestOf(endpoint.metric, texts);
  const records = recordsOf({ taskId, key, endpoint, texts, nowMs, digest });
  const outcome = await ports.requestLog.appendTasksOnce([records], identity);
  if (outcome.kind === 'conflict') throw keyConflict(outcome.taskId);
  return outcome.taskId;
}
