import { timeOrderedId } from '../http-edge/scoring/task-id.js';
import { withAdmin } from '../runtime/kafka/client/admin.js';
import { accessTo } from '../test/support/kafka.js';
import { createCodec } from '../runtime/registry/codec.js';
import { readSchema } from '../runtime/registry/registry.js';
import type { TaskStatus } from '../schemas/generated/task-status.js';
import { taskStatus } from '../topics/scoring.js';
import { openBenchAppender } from './servers/measured.js';

export const benchWorkspace = 'bench';

/** The codec of the newest schema, which needs no registry. */
export const statusCodec = () =>
  createCodec<TaskStatus>(taskStatus.name, readSchema('task-status'), 1, {
    schemaOf: () => Promise.resolve(undefined),
  });

const atOnce = 5_000;
/** As long as a text-metrics result with a prompt of 600 characters. */
const result = JSON.stringify({ prompt: 'word '.repeat(120), metrics: { text_metrics: 'x'.repeat(600) } });

/** Appends two statuses (queued, processed) for each of this many new tasks; returns the first ids. */
export async function writeStatuses(
  brokers: readonly string[],
  topic: string,
  tasks: number,
): Promise<readonly string[]> {
  const first: string[] = [];
  const { partitions: numPartitions } = taskStatus;
  const configEntries = [{ name: 'message.timestamp.type', value: 'LogAppendTime' }];
  await withAdmin(accessTo(brokers), (admin) =>
    admin.createTopics({ topics: [{ topic, numPartitions, configEntries }] }),
  );
  const appender = await openBenchAppender(brokers);
  const statuses = statusCodec();
  const statusOf = (id: string, status: 'queued' | 'processed'): TaskStatus => ({
    task_id: id,
    workspace: benchWorkspace,
    metric: 'text_metrics',
    status,
    message: status === 'queued' ? 'queued' : 'The calculation is complete.',
    result: status === 'queued' ? null : result,
    error: null,
    accepted_at: Date.now() * 1_000,
    updated_at: Date.now() * 1_000,
    request_digest: null,
  });
  for (let done = 0; done < tasks; done += atOnce) {
    const ids = Array.from({ length: Math.min(atOnce, tasks - done) }, () => timeOrderedId());
    if (first.length === 0) first.push(...ids.slice(0, 500));
    for (const state of ['queued', 'processed'] as const) {
      await appender.append(
        ids.map((id) => ({ topic, key: id, value: statuses.encode(statusOf(id, state)) })),
      );
    }
  }
  await appender.stop();
  return first;
}
