import { Kafka, logLevel, Partitioners, type Message, type Producer } from 'kafkajs';
import { forEachCluster } from '../../runtime/kafka/corrections/connections.js';
import { type KafkaAccess, plaintext } from '../../runtime/kafka/client/kafka-access.js';
import { readOnlyCommitted } from '../../runtime/kafka/corrections/consumers.js';
import { silentLogger } from '../../runtime/logging.js';

/** A plain kafkajs client for a test's own reads and writes. */
export function plainKafka(brokers: readonly string[]): Kafka {
  const kafka = new Kafka({
    brokers: [...brokers],
    clientId: 'test',
    logLevel: logLevel.NOTHING,
    // As patient as `until`: on a busy machine a restarted broker can take half a minute to lead again.
    retry: { initialRetryTime: 20, retries: 480, maxRetryTime: 500 },
  });
  // A plain kafkajs consumer also returns records of aborted transactions, if several transactions overlap.
  forEachCluster(kafka, readOnlyCommitted);
  return kafka;
}

export function accessTo(brokers: readonly string[]): KafkaAccess {
  return { brokers, security: plaintext, clientId: 'test', logger: silentLogger };
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
