import type { Admin } from 'kafkajs';
import { watchDependency } from '../../dependency-watch.js';
import { TelltaleError } from '../../errors.js';
import type { Health } from '../../health.js';
import type { Stoppable } from '../../lifecycle.js';
import { createKafka } from './client.js';
import type { KafkaAccess } from './kafka-access.js';

/** Asks the cluster who it is; KAFKA_UNREACHABLE where nobody answers. */
export async function requireKafka(kafka: KafkaAccess): Promise<void> {
  const admin = createKafka(kafka).admin({ retry: { retries: 3, initialRetryTime: 100 } });
  try {
    await admin.connect();
    await admin.describeCluster();
  } catch (cause) {
    throw new TelltaleError('KAFKA_UNREACHABLE', { brokers: kafka.brokers.join(', ') }, { cause });
  } finally {
    await admin.disconnect().catch(() => undefined);
  }
}

export interface KafkaWatchOptions {
  readonly kafka: KafkaAccess;
  /** Those that the process reads and writes. */
  readonly topics: readonly { readonly name: string }[];
  readonly health: Health;
}

/** The process is ready only while a broker answers and each of these topics has a leader for every partition. */
export function watchKafka({ kafka, topics, health }: KafkaWatchOptions): Stoppable {
  const names = [...new Set(topics.map((topic) => topic.name))];
  const client = createKafka(kafka);
  const open = (): Admin => client.admin({ retry: { retries: 0 } });
  let admin: Admin | undefined;

  /** A connection that failed once is not trusted again. */
  const release = async (): Promise<void> => {
    const failed = admin;
    admin = undefined;
    await failed?.disconnect().catch(() => undefined);
  };
  const watch = watchDependency({
    name: 'Kafka',
    condition: health.condition('Kafka'),
    async ask() {
      try {
        if (admin === undefined) {
          admin = open();
          await admin.connect();
        }
        await admin.fetchTopicMetadata({ topics: names });
      } catch (error) {
        await release();
        throw error;
      }
    },
  });
  return {
    name: watch.name,
    async stop() {
      await watch.stop();
      await release();
    },
  };
}
