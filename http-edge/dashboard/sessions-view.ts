import type { Codec } from '../../runtime/codec.js';
import type { Condition } from '../../runtime/health.js';
import type { Appender } from '../../runtime/kafka/produce/appender.js';
import { startCompactedView, removalsOf } from '../../runtime/kafka/views/compacted-view.js';
import type { KafkaAccess } from '../../runtime/kafka/client/kafka-access.js';
import { MemoryTarget } from '../../runtime/kafka/views/view-target.js';
import type { Metrics } from '../../runtime/metrics.js';
import type { DashboardSession } from '../../schemas/generated/dashboard-session.js';
import type { Topic } from '../../topics/topic.js';
import { laterState, type Sessions } from './sessions.js';

export interface SessionsViewOptions {
  readonly topic: Topic<DashboardSession>;
  readonly codec: Codec<DashboardSession>;
  readonly kafka: KafkaAccess;
  readonly appender: Pick<Appender, 'append'>;
  readonly condition: Condition;
  readonly metrics: Metrics;
}

/** The sessions of the compacted topic, all in memory, at most one long poll behind. */
export function startSessionsView(options: SessionsViewOptions): Sessions & { stop(): Promise<void> } {
  const { topic, codec, kafka, appender, condition, metrics } = options;
  const target = new MemoryTarget<DashboardSession>(laterState);
  const view = startCompactedView({ topic, codec, target, kafka, condition, metrics });
  return {
    find(id) {
      view.requireCaughtUp();
      return target.get(id);
    },
    list(workspace) {
      view.requireCaughtUp();
      return target.all().filter((session) => session.workspace === workspace);
    },
    upToDate: (id) => view.upToDate(id),
    async put(session) {
      await appender.append([{ topic: topic.name, key: session.id, value: codec.encode(session) }]);
      await view.upToDate(session.id);
    },
    remove: removalsOf({ topic, appender, view }),
    stop: () => view.stop(),
  };
}
