import type { Codec } from '../../runtime/codec.js';
import { createHealth } from '../../runtime/health.js';
import type { KafkaAccess } from '../../runtime/kafka/client/kafka-access.js';
import { startCompactedView } from '../../runtime/kafka/views/compacted-view.js';
import { MemoryTarget } from '../../runtime/kafka/views/view-target.js';
import { createMetrics } from '../../runtime/metrics.js';
import type { Replay } from '../../schemas/generated/replay.js';
import { replays } from '../../topics/replays.js';

/** The replays as their topic has them, a moment later: to wait for one costs no reading of the topic for each look. */
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
