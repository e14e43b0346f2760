import { randomUUID } from 'node:crypto';
import type { Codec } from '../runtime/codec.js';
import type { Appender, EncodedRecord } from '../runtime/kafka/produce/appender.js';
import type { IdempotentAppender } from '../runtime/kafka/transactions/idempotent-appender.js';
import type { ScoringRequest } from '../schemas/generated/scoring-request.js';
import type { TaskStatus } from '../schemas/generated/task-status.js';
import { scoringRequests, scoringRequestsRealtime, taskStatus } from '../topics/scoring.js';
import type { RequestLog } from './ports.js';
import type { KnownTask } from './status-view/status-view.js';

export interface RequestLogOptions {
  readonly appender: Appender;
  readonly once: IdempotentAppender<KnownTask>;
  readonly requestCodec: Codec<ScoringRequest>;
  readonly statusCodec: Codec<TaskStatus>;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

const dayMicros = 86_400_000_000;

/** Whether a task accepted under the same key counts as a repeat of a request's: a key is valid for a day. */
export const isRepeatedTask = (found: KnownTask, own: KnownTask): boolean =>
  found.taskId === own.taskId || found.acceptedAt > own.acceptedAt - dayMicros;

/**
 * Calls of the same 10 ms share a partition, and so a transaction of the processor. Spread by their own keys,
 * eight concurrent calls would cost it six transactions. Calls need no order among each other. Each edge has
 * its own keys, so that they don't all fill the same partition.
 */
const sliceMs = 10;
const ofThisEdge = randomUUID();
const partitionKeyOfCalls = (nowMs: number): string => `${ofThisEdge}/${Math.floor(nowMs / sliceMs)}`;

/** Appends requests and their queued statuses to Kafka. */
export function createRequestLog({
  appender,
  once,
  requestCodec,
  statusCodec,
  clock,
}: RequestLogOptions): RequestLog {
  const requestRecord = (topic: string, request: ScoringRequest): EncodedRecord => ({
    topic,
    key: request.id,
    value: requestCodec.encode(request),
  });
  const statusRecord = (status: TaskStatus): EncodedRecord => ({
    topic: taskStatus.name,
    key: status.task_id,
    value: statusCodec.encode(status),
  });
  return {
    pressure: appender.pressure,
    // The statuses go first (ADR 2), so a processor can never be ahead of them, and compaction keeps the
    // right ones.
    appendTasks: (tasks) =>
      appender.append(
        tasks.map(({ queued }) => statusRecord(queued)),
        tasks.map(({ request }) => requestRecord(scoringRequests.name, request)),
      ),
    appendRealtime: (request) =>
      appender.append([
        {
          ...requestRecord(scoringRequestsRealtime.name, request),
          partitionKey: partitionKeyOfCalls(clock()),
        },
      ]),
    async appendTasksOnce(tasks, { group, previousTaskId }) {
      const { task_id: taskId, request_digest: requestDigest, accepted_at: acceptedAt } = tasks[0].queued;
      const records = [
        ...tasks.map(({ queued }) => statusRecord(queued)),
        ...tasks.map(({ request }) => requestRecord(scoringRequests.name, request)),
      ];
      const outcome = await appender.holding(bytesOf(records), () =>
        once.append({
          group,
          ids: [taskId, previousTaskId],
          entry: { taskId, requestDigest, acceptedAt },
          records,
        }),
      );
      if (outcome.kind === 'appended') return { kind: 'accepted', taskId };
      const { entry } = outcome;
      const sameBody = entry.requestDigest === requestDigest;
      return { kind: sameBody ? 'repeated' : 'conflict', taskId: entry.taskId };
    },
  };
}

const bytesOf = (records: readonly EncodedRecord[]): number =>
  records.reduce((bytes, { value }) => bytes + (value?.length ?? 0), 0);
