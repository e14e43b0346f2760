import { randomUUID } from 'node:crypto';
import { Kafka, logLevel, type Consumer, type EachBatchPayload, type Producer } from 'kafkajs';
import { murmur2 } from '../../runtime/kafka/protocol/produce-request.js';

/**
 * The floor of a real-time call: a request to one topic, a transaction that answers on another, and nothing
 * else. Plain kafkajs without codecs, HTTP, scoring or recovery: one `send` per request, one transaction per
 * batch.
 */
export interface TwoHopFloor {
  /**
   * `callers` callers, each of which waits for its answer before it sends again. Round trips in milliseconds, sorted.
   */
  roundTrips(callers: number, forMs: number, bytes: number): Promise<readonly number[]>;
  stop(): Promise<void>;
}

const retry = { initialRetryTime: 5, maxRetryTime: 500, retries: 20 };

/**
 * One partition is the fastest that kafkajs can do on one broker: it fetches again only when the batches of
 * all partitions are done, so each round waits for the slowest transaction of all partitions.
 */
export async function openTwoHopFloor(brokers: readonly string[], partitions = 1): Promise<TwoHopFloor> {
  const kafka = new Kafka({ brokers: [...brokers], clientId: 'floor', logLevel: logLevel.NOTHING, retry });
  const run = randomUUID().slice(0, 8);
  const requests = `floor.${run}.requests`;
  const replies = `floor.${run}.replies`;
  await makeTopics(kafka, { [requests]: partitions, [replies]: 1 });

  const waiting = new Map<string, () => void>();
  const answers = await consume(kafka, `floor-${run}-caller`, replies, 1, (payload) => {
    for (const { key, offset } of payload.batch.messages) {
      waiting.get(String(key))?.();
      payload.resolveOffset(offset);
    }
    return Promise.resolve();
  });
  const groupId = `floor-${run}-middle`;
  const middles = await Promise.all(
    Array.from({ length: partitions }, (_, partition) =>
      connected(
        kafka.producer({
          idempotent: true,
          maxInFlightRequests: 1,
          transactionalId: `${groupId}-${partition}`,
          retry,
        }),
      ),
    ),
  );
  const middle = await consume(kafka, groupId, requests, partitions, (payload) =>
    answerBatch(payload, middles[payload.batch.partition], groupId, replies),
  );
  const caller = await connected(kafka.producer({ idempotent: true, retry }));

  const roundTrip = async (value: Buffer): Promise<number> => {
    const key = randomUUID();
    const began = performance.now();
    const answered = new Promise<void>((resolve) => waiting.set(key, resolve));
    const partition = (murmur2(Buffer.from(key)) & 0x7fffffff) % partitions;
    await caller.send({ topic: requests, messages: [{ key, value, partition }] });
    await answered;
    waiting.delete(key);
    return performance.now() - began;
  };

  return {
    async roundTrips(callers, forMs, bytes) {
      const value = Buffer.alloc(bytes, 'x');
      const until = performance.now() + forMs;
      const loops = Array.from({ length: callers }, async () => {
        const taken: number[] = [];
        while (performance.now() < until) taken.push(await roundTrip(value));
        return taken;
      });
      return (await Promise.all(loops)).flat().sort((a, b) => a - b);
    },
    async stop() {
      await Promise.all([middle, answers].map((consumer) => consumer.disconnect()));
      await Promise.all([caller, ...middles].map((producer) => producer.disconnect()));
      const admin = kafka.admin();
      await admin.connect();
      await admin.deleteTopics({ topics: [requests, replies] });
      await admin.disconnect();
    },
  };
}

async function answerBatch(
  payload: EachBatchPayload,
  producer: Producer | undefined,
  consumerGroupId: string,
  replies: string,
): Promise<void> {
  const { batch } = payload;
  if (producer === undefined) throw new Error(`no producer for partition ${batch.partition}`);
  const transaction = await producer.transaction();
  await transaction.send({
    topic: replies,
    messages: batch.messages.map(({ key, value }) => ({ key, value })),
  });
  const { topic, partition } = batch;
  const offset = String(Number(batch.lastOffset()) + 1);
  await transaction.sendOffsets({
    consumerGroupId,
    topics: [{ topic, partitions: [{ partition, offset }] }],
  });
  await transaction.commit();
  payload.resolveOffset(batch.lastOffset());
  await payload.heartbeat();
}

async function makeTopics(kafka: Kafka, partitions: Readonly<Record<string, number>>): Promise<void> {
  const admin = kafka.admin();
  await admin.connect();
  await admin.createTopics({
    topics: Object.entries(partitions).map(([topic, numPartitions]) => ({ topic, numPartitions })),
  });
  await admin.disconnect();
}

/** Resolves once the group has its partitions. */
async function consume(
  kafka: Kafka,
  groupId: string,
  topic: string,
  partitions: number,
  eachBatch: (payload: EachBatchPayload) => Promise<void>,
): Promise<Consumer> {
  const consumer = kafka.consumer({ groupId, maxWaitTimeInMs: 200, minBytes: 1 });
  await consumer.connect();
  await consumer.subscribe({ topics: [topic], fromBeginning: true });
  const joined = new Promise((resolve) => consumer.on(consumer.events.GROUP_JOIN, resolve));
  await consumer.run({
    autoCommit: false,
    eachBatchAutoResolve: false,
    partitionsConsumedConcurrently: partitions,
    eachBatch,
  });
  await joined;
  return consumer;
}

async function connected(producer: Producer): Promise<Producer> {
  await producer.connect();
  return producer;
}
