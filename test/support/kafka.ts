import { randomUUID } from 'node:crypto';
import { Kafka, logLevel, Partitioners, type Message, type Producer } from 'kafkajs';
import { silentLogger } from '../../runtime/logging.js';
import type { KafkaAccess } from '../../runtime/kafka/log-access.js';
import { isServed } from './topic-of-test.js';
import { until } from './until.js';

/** A plain kafkajs client for what a test does around the code under test. */
export function plainKafka(brokers: readonly string[]): Kafka {
  return new Kafka({
    brokers: [...brokers],
    clientId: 'test',
    logLevel: logLevel.NOTHING,
    retry: { initialRetryTime: 20, retries: 60, maxRetryTime: 500 },
  });
}

export function accessTo(brokers: readonly string[]): KafkaAccess {
  return { brokers, clientId: 'test', logger: silentLogger };
}

export async function makeTopic(
  kafka: Kafka,
  partitions: number,
  entries: Readonly<Record<string, string>> = {},
  topic = `test-${randomUUID()}`,
): Promise<string> {
  const admin = kafka.admin();
  await admin.connect();
  const configEntries = Object.entries({ 'message.timestamp.type': 'LogAppendTime', ...entries }).map(
    ([name, value]) => ({ name, value }),
  );
  await admin.createTopics({
    waitForLeaders: false, // the library takes a broker that has not heard of the topic yet for a failure
    topics: [{ topic, numPartitions: partitions, replicationFactor: 1, configEntries }],
  });
  await until(`${topic} is served`, () => isServed(admin, topic));
  await admin.disconnect();
  return topic;
}

export async function connectedProducer(kafka: Kafka, transactionalId?: string): Promise<Producer> {
  const producer = kafka.producer({
    createPartitioner: Partitioners.DefaultPartitioner,
    idempotent: true,
    maxInFlightRequests: 1,
    ...(transactionalId === undefined ? {} : { transactionalId }),
  });
  await producer.connect();
  return producer;
}

export function numbered(from: number, count: number): Message[] {
  return Array.from({ length: count }, (_, index) => ({
    key: `k${from + index}`,
    value: String(from + index),
  }));
}
