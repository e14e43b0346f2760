import type { Codec } from '../../runtime/codec.js';
import type { Condition } from '../../runtime/health.js';
import { startCompactedView } from '../../runtime/kafka/views/compacted-view.js';
import type { KafkaAccess } from '../../runtime/kafka/client/kafka-access.js';
import { MemoryTarget } from '../../runtime/kafka/views/view-target.js';
import type { Metrics } from '../../runtime/metrics.js';
import type { Scorer } from '../../schemas/generated/scorer.js';
import type { Topic } from '../../topics/topic.js';
import type { Scorers } from '../ports.js';

export interface ScorersViewOptions {
  readonly topic: Topic<Scorer>;
  readonly codec: Codec<Scorer>;
  readonly kafka: KafkaAccess;
  readonly condition: Condition;
  readonly metrics: Metrics;
}

/** What processors last reported about each metric, in memory. */
export function startScorersView(options: ScorersViewOptions): Scorers & { stop(): Promise<void> } {
  const target = new MemoryTarget<Scorer>();
  const view = startCompactedView({ ...options, target });
  return { find: (metric) => target.get(metric), stop: () => view.stop() };
}
