import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { EdgeConfig } from '../../../http-edge/config.js';
import { certificateOf } from '../../../http-edge/edge.js';
import type { ShardingConfig } from '../../../http-edge/status-view/sharded/config.js';
import { joinAppendGroup } from '../../../http-edge/peers/append-group.js';
import { startShardedStatusView } from '../../../http-edge/status-view/sharded/sharded-status-view.js';
import { startStatusView, type StatusView } from '../../../http-edge/status-view/status-view.js';
import type { Codec } from '../../../runtime/codec.js';
import type { KafkaConfig } from '../../../runtime/kafka/client/config.js';
import type { KafkaAccess } from '../../../runtime/kafka/client/kafka-access.js';
import type { TaskStatus } from '../../../schemas/generated/task-status.js';
import { taskStatus } from '../../../topics/scoring.js';
import { appendGroup, taskStatusGroup } from '../../pipeline.js';
import { exitWithError, type RoleContext } from '../../role.js';

export interface TaskStatusesOptions {
  /** The folder of the local stores. */
  readonly state: string;
  readonly retentionMs: number;
  readonly sharding: ShardingConfig;
  readonly edge: EdgeConfig;
  readonly kafkaSettings: KafkaConfig;
  readonly kafka: KafkaAccess;
  readonly codec: Codec<TaskStatus>;
}

/** The task statuses: all of them, or the partitions that this edge keeps for all edges. */
export async function startTaskStatuses(
  { health, metrics, logger }: RoleContext,
  { state, retentionMs, sharding, edge, kafkaSettings, kafka, codec }: TaskStatusesOptions,
): Promise<StatusView> {
  const isWhole = sharding.STATUS_VIEW === 'whole';
  const whole = join(state, 'task-status');
  const sharded = join(state, 'task-status-shards');
  // Deletes the other view's store, which is useless since the setting was changed.
  rmSync(isWhole ? sharded : whole, { recursive: true, force: true });
  const condition = health.condition('task statuses');
  const common = { retentionMs, topic: taskStatus, codec, kafka, condition, metrics };
  const inGroup = {
    sessionTimeoutMs: kafkaSettings.KAFKA_SESSION_TIMEOUT_MS,
    config: sharding,
    certificate: certificateOf(edge),
    fatal: exitWithError(logger),
  };
  if (!isWhole)
    return startShardedStatusView({ ...common, ...inGroup, folder: sharded, groupId: taskStatusGroup });
  const view = startStatusView({ ...common, folder: whole });
  if (sharding.EDGE_PEER_URL === '') return view;
  const groupId = appendGroup;
  const group = await joinAppendGroup({ ...inGroup, kafka, metrics, groupId, topic: taskStatus.name });
  return {
    ...view,
    appendOwners: group.owners,
    async stop() {
      await group.stop();
      await view.stop();
    },
  };
}
