import type { Codec } from '../../runtime/codec.js';
import { createHealth } from '../../runtime/health.js';
import type { KafkaAccess } from '../../runtime/kafka/client/kafka-access.js';
import { startCompactedView } from '../../runtime/kafka/views/compacted-view.js';
import { MemoryTarget } from '../../runtime/kafka/views/view-target.js';
import { createMetrics } from '../../runtime/metrics.js';
import type { Replay } from '../../schemas/generated/replay.js';
import { replays } from '../../topics/replays.js';

/** A slightly delayed view of the replays, so that waiting for one does not reread the topic each time. */
export interface FollowedReplays {
  get(id: string): Replay | undefined;
  stop(): Promise<void>;
}

export function followReplays(kafka: KafkaAccess, codec: Codec<Replay>): FollowedReplays {
  const target = new MemoryTarget<Replay>();
  const condition = createHealth().condition('replays');
  const view = startCompactedView({
    topic: replays,
    codec,
    target,
    kafka,
    condition,
    metrics: createMetrics(),
  });
  return { get: (id) => target.get(id), stop: () => view.stop() };
}
