import type { Codec } from '../../runtime/codec.js';
import type { Condition } from '../../runtime/health.js';
import type { KafkaAccess } from '../../runtime/kafka/client/kafka-access.js';
import type { Appender } from '../../runtime/kafka/produce/appender.js';
import { startCompactedView } from '../../runtime/kafka/views/compacted-view.js';
import { MemoryTarget } from '../../runtime/kafka/views/view-target.js';
import type { Metrics } from '../../runtime/metrics.js';
import type { HotThreads } from '../../schemas/generated/hot-threads.js';
import type { Topic } from '../../topics/topic.js';

/** The last question for the hot threads of each cluster, with its answer; forgotten after a day. */
export interface HotThreadsLog {
  /** The questions that this edge has read so far. */
  list(workspace: string): readonly HotThreads[];
  /** The question as any edge has last written it; rejects with KAFKA_UNREACHABLE. */
  find(workspace: string, clusterUuid: string): Promise<HotThreads | undefined>;
  /** Resolves once it is durable; rejects with BUFFER_FULL, APPEND_TIMED_OUT or APPEND_FAILED. */
  put(record: HotThreads): Promise<void>;
}

export interface HotThreadsLogOptions {
  readonly topic: Topic<HotThreads>;
  readonly codec: Codec<HotThreads>;
  readonly kafka: KafkaAccess;
  readonly appender: Pick<Appender, 'append'>;
  readonly condition: Condition;
  readonly metrics: Metrics;
}

const forgottenMs = 86_400_000;

/** Keeps all questions in memory on every edge. */
export function startHotThreadsLog(options: HotThreadsLogOptions): HotThreadsLog & { stop(): Promise<void> } {
  const { topic, codec, kafka, appender, condition, metrics } = options;
  const target = new MemoryTarget<HotThreads>();
  const view = startCompactedView({ topic, codec, target, kafka, condition, metrics });
  const forget = (): void => {
    const since = (Date.now() - forgottenMs) * 1_000;
    target.forget(({ asked_at: at }) => at < since);
  };
  return {
    list(workspace) {
      forget();
      return target.all().filter((one) => one.workspace === workspace);
    },
    async find(workspace, clusterUuid) {
      const key = keyOf(workspace, clusterUuid);
      await view.upToDate(key);
      forget();
      return target.get(key);
    },
    async put(record) {
      const key = keyOf(record.workspace, record.cluster_uuid);
      await appender.append([{ topic: topic.name, key, value: codec.encode(record) }]);
    },
    stop: () => view.stop(),
  };
}

const keyOf = (workspace: string, clusterUuid: string): string => `${workspace}/${clusterUuid}`;
