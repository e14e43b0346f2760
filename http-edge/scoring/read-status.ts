import type { ByteString, Exchange } from '../../runtime/http/exchange.js';
import { Problem } from '../../runtime/http/problem.js';
import type { PathParameters, Route } from '../../runtime/http/route.js';
import { taskStatusPattern } from '../routes.js';
import type { HotDependencies } from './dependencies.js';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** `GET …/task/{task_id}/status`. A task that was just accepted, on whichever edge, is never answered 404. */
export function taskStatusRoute(dependencies: HotDependencies): Route {
  return {
    method: 'GET',
    pattern: taskStatusPattern,
    handle: (exchange, parameters) => readStatus(exchange, parameters, dependencies),
  };
}

function readStatus(
  exchange: Exchange,
  parameters: PathParameters,
  { admission, ports }: HotDependencies,
): void | Promise<void> {
  const { key, headers } = admission.admit(exchange, ['metrics', 'read']);
  const taskId = (parameters.task_id ?? '').toLowerCase();
  const { retentionMs } = ports.taskStatusView;
  if (!uuid.test(taskId)) throw notFound(retentionMs);
  const status = ports.taskStatusView.read(taskId, key.workspace);
  if (typeof status === 'string') exchange.jsonBytes(200, status, headers);
  else return answerLate(exchange, status, retentionMs, headers);
}

async function answerLate(
  exchange: Exchange,
  pending: Promise<ByteString | undefined>,
  retentionMs: number,
  headers: readonly string[],
): Promise<void> {
  const status = await pending;
  if (status === undefined) throw notFound(retentionMs);
  exchange.jsonBytes(200, status, headers);
}

/** Another workspace's task, an unknown and a malformed id look the same, so that ids can't be probed. */
function notFound(retentionMs: number): Problem {
  const hours = retentionMs / 3_600_000;
  const kept = hours % 24 === 0 ? `${hours / 24} days` : `${hours} hours`;
  return new Problem('not-found', `There is no such task. Tasks are kept for ${kept}.`);
}
