import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Kafka, KafkaMessage } from 'kafkajs';

/**
 * Everything committed in a topic, read by a plain consumer: at least `count` records, and all that arrive within
 * another `quietMs`, so that a duplicate record is seen too.
 */
export async function readCommitted(
  kafka: Kafka,
  topic: string,
  count: number,
  { quietMs = 1_500, deadlineMs = 240_000 } = {},
): Promise<KafkaMessage[]> {
  const consumer = kafka.consumer({
    groupId: `reader-${randomUUID()}`,
    maxWaitTimeInMs: 100,
  });
  const seen: KafkaMessage[] = [];
  let lastAt = Date.now();
  await consumer.connect();
  await consumer.subscribe({ topics: [topic], fromBeginning: true });
  await consumer.run({
    autoCommit: false,
    partitionsConsumedConcurrently: 12,
    eachMessage: ({ message }) => {
      seen.push(message);
      lastAt = Date.now();
      return Promise.resolve();
    },
  });
  const deadline = Date.now() + deadlineMs;
  while ((seen.length < count || Date.now() - lastAt < quietMs) && Date.now() < deadline) await sleep(50);
  await consumer.disconnect();
  return seen;
}
