import type { Admitted } from '../../http/admission.js';
import { checkBodyHeaders, readBody } from '../../../runtime/http/body.js';
import type { Exchange } from '../../../runtime/http/exchange.js';
import { problemOf } from '../../../runtime/http/failures.js';
import type { FieldError, ProblemKind } from '../../../runtime/http/problem.js';
import type { TaskRecords } from '../../ports.js';
import type { Route } from '../../../runtime/http/route.js';
import { taskBatchPath } from '../../routes.js';
import type { HotDependencies } from '../dependencies.js';
import { digestOfBatch, idempotentBatch, keyConflict } from '../idempotency.js';
import { acceptedBody, recordsOf } from '../task-records.js';
import { appendTasks } from './append-tasks.js';
import { batchMediaTypes, readBatch } from './batch-body.js';
import { standardMetricOf, taskOf, type BatchTask } from './batch-item.js';

export interface BatchDependencies extends HotDependencies {
  /** Bytes of a batch, before and after decompression. */
  readonly batchLimit: number;
}

/** `POST …/task/batch`: 202 with a handle or a reason for each request, once every handle's task is durable. */
export function taskBatchRoute(dependencies: BatchDependencies): Route {
  return {
    method: 'POST',
    pattern: taskBatchPath,
    handle: (exchange) => acceptBatch(exchange, dependencies),
  };
}

async function acceptBatch(exchange: Exchange, dependencies: BatchDependencies): Promise<void> {
  const { admission, batchLimit, textLimit } = dependencies;
  const admitted = await admission.admitWork(exchange, ['metrics']);
  const mediaType = checkBodyHeaders(exchange, batchLimit, batchMediaTypes);
  const standard = standardMetricOf(exchange.request.url);
  const read = await readBatch(await readBody(exchange, batchLimit), mediaType, (part, index) =>
    taskOf(part, index, standard, textLimit),
  );
  const { headers } = admission.charge(admitted, read.length - 1);
  const valid = read.filter(isTask);
  const idempotencyKey = exchange.request.headers['idempotency-key'];
  const queued =
    idempotencyKey === undefined
      ? await queue(valid, admitted, dependencies)
      : await queueOnce(valid, admitted, String(idempotencyKey), dependencies);
  const answers = answersOf(read, queued);
  const accepted = queued.taskIds.filter((id) => id !== undefined).length;
  exchange.json(
    202,
    `{"accepted":${accepted},"rejected":${read.length - accepted},"tasks":[${answers.join(',')}]}`,
    headers,
  );
}

/** What became of the valid requests: the ids of their tasks, undefined if the task could not be stored. */
interface Queued {
  readonly taskIds: readonly (string | undefined)[];
}

async function queue(
  tasks: readonly BatchTask[],
  { key }: Admitted,
  { ports, clock, newId }: BatchDependencies,
): Promise<Queued> {
  const nowMs = clock();
  const records = tasks.map((task) => recordsOf({ ...task, taskId: newId(), key, nowMs, digest: null }));
  const { durable, failure } = await appendTasks(records, (chunk) => ports.requestLog.appendTasks(chunk));
  if (failure !== undefined && (durable.size === 0 || problemOf(failure).kind !== 'unavailable'))
    throw failure;
  return { taskIds: records.map((each) => (durable.has(each) ? each.request.id : undefined)) };
}

/** All of them in one transaction, or none, so that a repeated request finds all or none. */
async function queueOnce(
  tasks: readonly BatchTask[],
  { key }: Admitted,
  idempotencyKey: string,
  { ports, clock }: BatchDependencies,
): Promise<Queued> {
  const nowMs = clock();
  const { taskIds, previousTaskIds, ...identity } = idempotentBatch(
    key.workspace,
    idempotencyKey,
    nowMs,
    tasks.length,
  );
  const digest = digestOfBatch(tasks);
  const records = tasks.map((task, at): TaskRecords =>
    recordsOf({ ...task, taskId: taskIds[at] ?? '', key, nowMs, digest }),
  );
  const [first, ...others] = records;
  if (first === undefined) return { taskIds };
  const outcome = await ports.requestLog.appendTasksOnce([first, ...others], identity);
  if (outcome.kind === 'conflict') throw keyConflict(outcome.taskId);
  return { taskIds: outcome.taskId === identity.previousTaskId ? previousTaskIds : taskIds };
}

const isTask = (read: BatchTask | readonly FieldError[]): read is BatchTask => 'texts' in read;

/** One answer per request, as JSON text, in the order of the batch. */
function answersOf(
  read: readonly (BatchTask | readonly FieldError[])[],
  { taskIds }: Queued,
): readonly string[] {
  let next = 0;
  return read.map((of, index) => {
    if (!isTask(of)) return rejection('invalid', of);
    const taskId = taskIds[next++];
    if (taskId !== undefined) return acceptedBody(of.endpoint, taskId);
    return rejection('unavailable', [
      {
        pointer: `/${index}`,
        detail: 'This request could not be stored, and nothing was promised. Send it again.',
      },
    ]);
  });
}

function rejection(kind: ProblemKind, errors: readonly FieldError[]): string {
  const detail = errors.map((error) => error.detail).join(' ');
  return JSON.stringify({ status: 'rejected', type: `urn:telltale:problem:${kind}`, detail, errors });
}
