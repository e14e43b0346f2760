import { createKafka } from '../runtime/kafka/client/client.js';
import { plaintext } from '../runtime/kafka/client/kafka-access.js';
import { silentLogger } from '../runtime/logging.js';

export interface BenchTopic {
  readonly topic: string;
  readonly numPartitions: number;
  readonly maxMessageBytes?: number;
}

/** Creates the missing topics of a benchmark. The first send waits for their leaders. */
export async function createTopics(brokers: readonly string[], topics: readonly BenchTopic[]): Promise<void> {
  const kafka = createKafka({ brokers, security: plaintext, clientId: 'bench', logger: silentLogger });
  const admin = kafka.admin();
  await admin.connect();
  await admin.createTopics({
    topics: topics.map(({ topic, numPartitions, maxMessageBytes }) => ({
      topic,
      numPartitions,
      configEntries: [
        { name: 'retention.bytes', value: String(256 * 1024 * 1024) },
        ...(maxMessageBytes === undefined
          ? []
          : [{ name: 'max.message.bytes', value: String(maxMessageBytes) }]),
      ],
    })),
    waitForLeaders: false, // kafkajs fails if a leader takes longer than it waits
  });
  await admin.disconnect();
}
