import type { Codec } from '../../runtime/codec.js';
import type { KafkaAccess } from '../../runtime/kafka/client/kafka-access.js';
import { startCompactedView } from '../../runtime/kafka/views/compacted-view.js';
import { MemoryTarget } from '../../runtime/kafka/views/view-target.js';
import { startReplayRunner, type ReplayRunnerOptions } from '../../runtime/replays/replay-runner.js';
import type { Replay } from '../../schemas/generated/replay.js';
import { replays } from '../../topics/replays.js';
import { operatorName } from '../operator.js';
import type { RoleContext } from '../role.js';

type RoleReplaysOptions = Pick<ReplayRunnerOptions, 'writesOf' | 'isOwn' | 'work'> & {
  readonly access: KafkaAccess;
  readonly codec: Codec<Replay>;
  /** After its process has been silent for this long, a replay moves to another process, as partitions do. */
  readonly sessionTimeoutMs: number;
};

/** Follows the replays that operators request, and does those of this role. */
export function startRoleReplays(
  { logger, metrics, health, lifecycle }: RoleContext,
  { access, codec, sessionTimeoutMs, writesOf, isOwn, work }: RoleReplaysOptions,
): void {
  const target = new MemoryTarget<Replay>();
  const condition = health.condition('replays');
  const view = startCompactedView({ topic: replays, codec, target, kafka: access, condition, metrics });
  lifecycle.register({ name: 'view of replays', stop: () => view.stop() });
  lifecycle.register(
    startReplayRunner({
      ...{ writesOf, isOwn, work },
      log: { access, codec, operator: operatorName() },
      replays: () => target.all(),
      silentMs: sessionTimeoutMs,
      logger,
    }),
  );
}
