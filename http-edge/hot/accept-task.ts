import type { ApiKey } from '../../schemas/generated/api-key.js';
import type { ScoringRequest } from '../../schemas/generated/scoring-request.js';
import type { TaskStatus } from '../../schemas/generated/task-status.js';
import { checkBodyHeaders, readBody } from '../../runtime/http/body.js';
import type { Exchange } from '../../runtime/http/exchange.js';
import { parseJson } from '../../runtime/http/json-body.js';
import { Problem } from '../../runtime/http/problem.js';
import { taskStatusPath } from '../routes.js';
import type { HotDependencies } from './dependencies.js';
import { digestOf, idempotentIds } from './idempotency.js';
import { textsOf, type Texts } from './metric-request.js';
import type { MetricEndpoint } from './metric-endpoints.js';

/** `POST …/task`: 202 once the queued status and the request are durable. */
export async function acceptTask(
  exchange: Exchange,
  endpoint: MetricEndpoint,
  dependencies: HotDependencies,
): Promise<void> {
  const { admission, bodyLimit, textLimit } = dependencies;
  const admitted = admission.admitWork(exchange, ['metrics']);
  checkBodyHeaders(exchange, bodyLimit);
  const body = parseJson(await readBody(exchange, bodyLimit));
  const texts = textsOf(body, endpoint.response, textLimit);
  const idempotencyKey = exchange.request.headers['idempotency-key'];
  let taskId: string;
  if (idempotencyKey === undefined) {
    taskId = dependencies.newId();
    const { request, queued } = recordsOf(taskId, admitted.key, endpoint, texts, dependencies.clock(), null);
    await dependencies.ports.requestLog.appendTask(request, queued);
  } else {
    taskId = await acceptOnce(String(idempotencyKey), admitted.key, endpoint, texts, dependencies);
  }
  exchange.json(202, `{"status":"queued","message":"${endpoint.acceptedMessage}","task_id":"${taskId}"}`, [
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
  const now = clock();
  const { taskId, ...identity } = idempotentIds(key.workspace, idempotencyKey, now);
  const digest = digestOf(endpoint.metric, texts);
  const { request, queued } = recordsOf(taskId, key, endpoint, texts, now, digest);
  const outcome = await ports.requestLog.appendTaskOnce(request, queued, identity);
  if (outcome.kind === 'conflict')
    throw new Problem(
      'conflict',
      `This Idempotency-Key was used for another request, which is task ${outcome.taskId}. Take a new key for a new request.`,
    );
  return outcome.taskId;
}

function recordsOf(
  taskId: string,
  key: ApiKey,
  { metric, acceptedMessage }: MetricEndpoint,
  texts: Texts,
  nowMs: number,
  digest: string | null,
): { request: ScoringRequest; queued: TaskStatus } {
  const acceptedAt = Math.round(nowMs * 1_000);
  return {
    request: {
      id: taskId,
      workspace: key.workspace,
      key_id: key.key_id,
      metric,
      prompt: texts.prompt,
      response: texts.response,
      accepted_at: acceptedAt,
      deadline: null,
      reply_to: null,
      request_digest: digest,
    },
    queued: {
      task_id: taskId,
      workspace: key.workspace,
      metric,
      status: 'queued',
      message: acceptedMessage,
      result: null,
      error: null,
      accepted_at: acceptedAt,
      updated_at: acceptedAt,
      request_digest: digest,
    },
  };
}
