import type { Admin, Kafka } from 'kafkajs';
import { watchDependency } from '../../dependency-watch.js';
import type { Health } from '../../health.js';
import type { Stoppable } from '../../lifecycle.js';

export interface KafkaWatchOptions {
  readonly kafka: Kafka;
  /** Those that the process reads and writes. */
  readonly topics: readonly { readonly name: string }[];
  readonly health: Health;
}

/** The process is ready only while a broker answers and each of these topics has a leader for every partition. */
export function watchKafka({ kafka, topics, health }: KafkaWatchOptions): Stoppable {
  const names = [...new Set(topics.map((topic) => topic.name))];
  const open = (): Admin => kafka.admin({ retry: { retries: 0 } });
  let admin: Admin | undefined;

  /** A connection that failed once is not trusted again. */
  const giveUp = async (): Promise<void> => {
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
        await giveUp();
        throw error;
      }
    },
  });
  return {
    name: watch.name,
    async stop() {
      await watch.stop();
      await giveUp();
    },
  };
}
