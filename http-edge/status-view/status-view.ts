import { z } from 'zod';
import type { Codec } from '../../runtime/codec.js';
import { positiveInteger } from '../../runtime/config.js';
import { reasonOf } from '../../runtime/errors.js';
import type { Condition } from '../../runtime/health.js';
import { startCompactedView } from '../../runtime/kafka/views/compacted-view.js';
import type { KafkaAccess } from '../../runtime/kafka/client/kafka-access.js';
import { openViewStore } from '../../runtime/kafka/views/view-store.js';
import type { Metrics } from '../../runtime/metrics.js';
import type { ByteString } from '../../runtime/http/exchange.js';
import type { TaskStatus } from '../../schemas/generated/task-status.js';
import type { Topic } from '../../topics/topic.js';
import type { AppendOwners } from '../peers/append-owners.js';
import type { TaskStatusView } from '../ports.js';
import { acceptedAt, bodyOf, digestOf, workspaceOf } from './entry.js';
import { StatusStore, statusStoreFormat } from './status-store.js';

export const statusViewConfig = z.object({
  STATUS_RETENTION_HOURS: positiveInteger(7 * 24)
    .refine((hours) => hours >= 24, 'must be at least 24: an Idempotency-Key is valid for a day')
    .describe(
      'How long after its acceptance a task can be queried. `telltale topics apply` gives the topic the same retention, and `telltale doctor`, also if MAINTENANCE_SCHEDULE runs it, compares it: set the same value for all of them.',
    ),
});

export interface StatusViewOptions {
  readonly folder: string;
  readonly retentionMs: number;
  readonly topic: Topic<TaskStatus>;
  readonly codec: Codec<TaskStatus>;
  readonly kafka: KafkaAccess;
  readonly condition: Condition;
  readonly metrics: Metrics;
}

/** What is known about a task apart from its status: it decides whether a request is a repetition. */
export interface KnownTask {
  readonly taskId: string;
  readonly requestDigest: string | null;
  /** Microseconds since 1970. */
  readonly acceptedAt: number;
}

export interface StatusView extends TaskStatusView {
  /** What is known about each id once the topic is read up to its end; rejects with KAFKA_UNREACHABLE. */
  lookup(taskIds: readonly string[]): Promise<readonly (KnownTask | undefined)[]>;
  /** Edges that share the statuses reach each other, and so share idempotent appends too. */
  readonly appendOwners?: AppendOwners;
  stop(): Promise<void>;
}

const longestTaskId = 64;
const purgeEveryMs = 1_000;

/** The compacted status topic in a local store: a hit is one lookup, a miss waits for the end of the log. */
export function startStatusView(options: StatusViewOptions): StatusView {
  const { folder, topic, codec, kafka, condition, metrics, retentionMs } = options;
  const { logger } = kafka;
  const store = openViewStore({ folder, format: statusStoreFormat, logger });
  const statuses = new StatusStore(store, retentionMs);
  const view = startCompactedView({ topic, codec, target: statuses, kafka, condition, metrics });
  const misses = metrics.counter(
    'telltale_status_view_misses_total',
    'Status questions that waited for the end of the log.',
  );
  let purging: Promise<unknown> = Promise.resolve();
  const purger = setInterval(() => {
    purging = purging
      .then(() => statuses.purge())
      .catch((error: unknown) =>
        logger.error({ event: 'tasks-not-purged', reason: reasonOf(error) }, 'old tasks could not be purged'),
      );
  }, purgeEveryMs).unref();

  const visible = (taskId: string, workspace: string): ByteString | undefined => {
    const entry = taskId.length > longestTaskId ? undefined : statuses.find(taskId);
    return entry !== undefined && workspaceOf(entry) === workspace ? bodyOf(entry) : undefined;
  };

  /** A task that was accepted under an Idempotency-Key is acknowledged a moment before its record can be read. */
  const waitUntilReadable = async (taskId: string): Promise<void> => {
    await view.upToDate(taskId);
    if (taskId.length <= longestTaskId && statuses.find(taskId) === undefined) await view.decided(taskId);
  };

  return {
    retentionMs,
    read(taskId, workspace) {
      const known = visible(taskId, workspace);
      if (known !== undefined) return known;
      misses.inc();
      return waitUntilReadable(taskId).then(() => visible(taskId, workspace));
    },
    async lookup(taskIds) {
      await Promise.all(taskIds.map((taskId) => view.upToDate(taskId)));
      return taskIds.map((taskId) => {
        const entry = statuses.find(taskId);
        return entry && { taskId, requestDigest: digestOf(entry), acceptedAt: acceptedAt(entry) };
      });
    },
    async stop() {
      clearInterval(purger);
      await purging;
      await view.stop();
      await store.close();
    },
  };
}
