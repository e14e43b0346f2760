import { randomUUID } from 'node:crypto';
import type { Admin, Kafka, KafkaMessage } from 'kafkajs';
import { until } from './until.js';

/** Creates a topic for this test only. */
export function freshTopic(
  kafka: Kafka,
  name: string,
  partitions = 1,
  entries: Readonly<Record<string, string>> = {},
): Promise<string> {
  return makeTopic(kafka, `test.${name}.${randomUUID().slice(0, 8)}`, partitions, entries);
}

/** Creates a topic with exactly this name, and waits for its leaders. */
export async function makeTopic(
  kafka: Kafka,
  topic: string,
  partitions = 1,
  entries: Readonly<Record<string, string>> = {},
): Promise<string> {
  const admin = kafka.admin();
  await admin.connect();
  const configEntries = Object.entries({ ...standardEntries, ...entries }).map(([name, value]) => ({
    name,
    value,
  }));
  await admin.createTopics({
    // kafkajs treats a broker that does not know the topic yet as failed.
    waitForLeaders: false,
    topics: [{ topic, numPartitions: partitions, configEntries }],
  });
  await until(`${topic} is served`, () => isServed(admin, topic));
  await admin.disconnect();
  return topic;
}

/** Removes every record that the topic has now. */
export async function removeRecords(kafka: Kafka, topic: string): Promise<void> {
  const admin = kafka.admin();
  await admin.connect();
  const ends = await admin.fetchTopicOffsets(topic);
  await admin.deleteTopicRecords({
    topic,
    partitions: ends.map(({ partition, high }) => ({ partition, offset: high })),
  });
  await admin.disconnect();
}

const standardEntries = {
  'message.timestamp.type': 'LogAppendTime',
  'max.message.bytes': String(16 * 1024 * 1024),
};

/**
 * Whether each partition has a leader that serves it: a broker is announced as the leader before it serves.
 */
async function isServed(admin: Admin, topic: string): Promise<boolean> {
  try {
    const { topics } = await admin.fetchTopicMetadata({ topics: [topic] });
    const partitions = topics.flatMap((one) => one.partitions);
    if (partitions.length === 0 || partitions.some(({ leader }) => leader < 0)) return false;
    await admin.fetchTopicOffsets(topic);
    return true;
  } catch {
    return false;
  }
}

export type StoredRecord = KafkaMessage & { readonly partition: number };

/**
 * Every committed record now in the topic. A marker at each partition's end shows when everything before it
 * has been read and decided. Offsets are not enough: control records and open transactions use some.
 */
export async function recordsOf(kafka: Kafka, topic: string): Promise<StoredRecord[]> {
  const mark = `${markPrefix}${randomUUID()}`;
  const partitions = await markEnds(kafka, topic, mark);
  const consumer = kafka.consumer({
    groupId: mark,
    maxWaitTimeInMs: 50,
    // Right after a restart, a broker has no coordinator for a while.
    retry: { retries: 60, initialRetryTime: 20, maxRetryTime: 500 },
  });
  const records: StoredRecord[] = [];
  const ended = new Set<number>();
  await consumer.connect();
  await consumer.subscribe({ topics: [topic], fromBeginning: true });
  await consumer.run({
    autoCommit: false,
    eachBatch: ({ batch }) => {
      for (const message of batch.messages) {
        if (String(message.key) === mark) ended.add(batch.partition);
        else if (message.key?.toString().startsWith(markPrefix) !== true) {
          records.push({ ...message, partition: batch.partition });
        }
      }
      return Promise.resolve();
    },
  });
  await until(`${topic} is read to its end`, () => ended.size === partitions);
  await consumer.disconnect();
  return records.sort((a, b) => Number(a.offset) - Number(b.offset));
}

const markPrefix = 'end-of-topic-';

async function markEnds(kafka: Kafka, topic: string, mark: string): Promise<number> {
  const admin = kafka.admin();
  await admin.connect();
  const { topics } = await admin.fetchTopicMetadata({ topics: [topic] });
  await admin.disconnect();
  const partitions = topics[0]?.partitions.map(({ partitionId }) => partitionId) ?? [];
  const producer = kafka.producer({ idempotent: true });
  await producer.connect();
  await producer.send({
    topic,
    messages: partitions.map((partition) => ({ partition, key: mark, value: null })),
  });
  await producer.disconnect();
  return partitions.length;
}
