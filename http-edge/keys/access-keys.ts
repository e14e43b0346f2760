import type { Codec } from '../../runtime/codec.js';
import type { Condition } from '../../runtime/health.js';
import type { Appender } from '../../runtime/kafka/produce/appender.js';
import { startCompactedView, removalsOf } from '../../runtime/kafka/views/compacted-view.js';
import type { KafkaAccess } from '../../runtime/kafka/client/kafka-access.js';
import { MemoryTarget } from '../../runtime/kafka/views/view-target.js';
import type { Metrics } from '../../runtime/metrics.js';
import type { ApiKey } from '../../schemas/generated/api-key.js';
import type { Topic } from '../../topics/topic.js';
import type { AccessKeys } from '../ports.js';

export interface AccessKeysOptions {
  readonly topic: Topic<ApiKey>;
  readonly codec: Codec<ApiKey>;
  readonly kafka: KafkaAccess;
  readonly appender: Pick<Appender, 'append'>;
  readonly condition: Condition;
  readonly metrics: Metrics;
}

export interface FollowedAccessKeys extends AccessKeys {
  /** Resolves once every key that the topic held at the start is known. */
  readonly caughtUp: Promise<void>;
  stop(): Promise<void>;
}

/** A revoked key stays revoked: a concurrent rotation can't bring it back. */
function onceRevoked(earlier: ApiKey, later: ApiKey): ApiKey {
  return earlier.revoked_at !== null && later.revoked_at === null
    ? { ...later, revoked_at: earlier.revoked_at }
    : later;
}

/** The keys of the compacted topic, all in memory, at most one long poll behind. */
export function startAccessKeys(options: AccessKeysOptions): FollowedAccessKeys {
  const { topic, codec, kafka, appender, condition, metrics } = options;
  const target = new MemoryTarget<ApiKey>(onceRevoked);
  const view = startCompactedView({ topic, codec, target, kafka, condition, metrics });
  return {
    caughtUp: view.caughtUp,
    find(keyId) {
      view.requireCaughtUp();
      return target.get(keyId);
    },
    list(workspace) {
      view.requireCaughtUp();
      return target.all().filter((key) => workspace === undefined || key.workspace === workspace);
    },
    async put(key) {
      await appender.append([{ topic: topic.name, key: key.key_id, value: codec.encode(key) }]);
      // The change is durable. This edge sees it at once, or a little later if Kafka has failed since.
      await view.upToDate(key.key_id).catch(() => undefined);
    },
    remove: removalsOf({ topic, appender, view }),
    stop: () => view.stop(),
  };
}
