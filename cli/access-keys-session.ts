import { startAccessKeys } from '../http-edge/keys/access-keys.js';
import { startKeyUses, type KeyUses } from '../http-edge/keys/key-uses.js';
import type { AccessKeys } from '../http-edge/ports.js';
import { readConfig } from '../runtime/config.js';
import { appendConfig, kafkaConfig } from '../runtime/kafka/client/config.js';
import { TelltaleError } from '../runtime/errors.js';
import { createHealth } from '../runtime/health.js';
import { requireKafka } from '../runtime/kafka/client/kafka-watch.js';
import type { Appender } from '../runtime/kafka/produce/appender.js';
import { openBatchingAppender } from '../runtime/kafka/produce/batching-appender.js';
import { readClusterState } from '../runtime/kafka/client/admin.js';
import { kafkaAccess, kafkaUnreachable } from '../runtime/kafka/client/kafka-access.js';
import { silentLogger } from '../runtime/logging.js';
import { createMetrics } from '../runtime/metrics.js';
import { openCodec } from '../runtime/registry/codec.js';
import { connectRegistry } from '../runtime/registry/registry.js';
import type { ApiKey } from '../schemas/generated/api-key.js';
import { apiKeys, keyUses } from '../topics/access.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** The topic of API keys, read to its end and ready for changes. */
export interface AccessKeysSession {
  readonly keys: AccessKeys;
  /** When keys were last used; undefined if that can't be read. */
  uses(): Promise<Pick<KeyUses, 'last'> | undefined>;
  close(): Promise<void>;
}

/** Reading a small topic never takes this long: after this time, the topic counts as unreadable. */
const patienceMs = 15_000;
/** After this time, keys are listed without their last uses: the user might not be allowed to read those. */
const usesPatienceMs = 5_000;

/** All keys. Rejects like `openAccessKeysSession`. */
export async function readApiKeys(environment: Environment): Promise<readonly ApiKey[]> {
  const session = await openAccessKeysSession(environment);
  try {
    return session.keys.list();
  } finally {
    await session.close();
  }
}

/** Rejects with KAFKA_UNREACHABLE, REGISTRY_UNREACHABLE, SCHEMA_MISSING or TOPIC_MISSING. */
export async function openAccessKeysSession(environment: Environment): Promise<AccessKeysSession> {
  const settings = readConfig(kafkaConfig, environment);
  const access = kafkaAccess(settings, 'telltale-keys', silentLogger);
  const metrics = createMetrics();
  const config = readConfig(appendConfig, environment);
  await requireKafka(access);
  const appender = openedOnUse(() => openBatchingAppender({ ...access, metrics, config }));
  try {
    const codec = await openCodec(apiKeys, connectRegistry(settings));
    const health = createHealth();
    const condition = health.condition(apiKeys.name, `${apiKeys.name} can't be read`);
    const keys = startAccessKeys({ topic: apiKeys, codec, kafka: access, appender, condition, metrics });
    let followed: ReturnType<typeof startKeyUses> | undefined;
    const close = async (): Promise<void> => {
      await followed?.stop();
      await keys.stop();
      await appender.stop();
    };
    const uses = async (): Promise<Pick<KeyUses, 'last'> | undefined> => {
      const codec = await openCodec(keyUses, connectRegistry(settings));
      const condition = createHealth().condition('uses of keys');
      const isKnown = (): boolean => true; // a command removes nothing
      followed = startKeyUses({
        topic: keyUses,
        codec,
        kafka: access,
        appender,
        condition,
        metrics,
        isKnown,
      });
      return (await within(followed.caughtUp, usesPatienceMs)) ? followed : undefined;
    };
    if (await within(keys.caughtUp, patienceMs)) return { keys, uses, close };
    await keys.stop();
    const { topics } = await readClusterState(access, [apiKeys.name]);
    if (topics.length === 0) throw new TelltaleError('TOPIC_MISSING', { topic: apiKeys.name });
    throw kafkaUnreachable(access, new Error(health.readiness().waitingFor[apiKeys.name]));
  } catch (error) {
    await appender.stop();
    throw error;
  }
}

/** Opens the appender on first use: a user who only reads keys might not be allowed to write. */
function openedOnUse(open: () => Promise<Appender>): Pick<Appender, 'append' | 'stop'> {
  let opened: Promise<Appender> | undefined;
  return {
    append: async (...stages) => (await (opened ??= open())).append(...stages),
    stop: async () => (await opened?.catch(() => undefined))?.stop(),
  };
}

async function within(promise: Promise<void>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => (timer = setTimeout(() => resolve(false), ms)));
  const inTime = await Promise.race([promise.then(() => true), late]);
  clearTimeout(timer);
  return inTime;
}
