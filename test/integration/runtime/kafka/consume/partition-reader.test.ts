import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { CompressionTypes, type Kafka } from 'kafkajs';
import { silentLogger } from '../../../../../runtime/logging.js';
import { logStart, openLog, type LogAccess } from '../../../../../runtime/kafka/consume/log-access.js';
import {
  connectLog,
  startPartitionReader,
  type PartitionReader,
} from '../../../../../runtime/kafka/consume/partition-reader.js';
import type { Delivery } from '../../../../../runtime/kafka/consume/read-from-broker.js';
import { accessTo, connectedProducer, numbered, plainKafka } from '../../../../support/kafka.js';
import { freshTopic } from '../../../../support/topic-of-test.js';
import { theStack, type TestStack } from '../../../../support/stack.js';

interface Reading {
  readonly values: number[];
  readonly positions: Map<number, number>;
  readonly restarts: Map<number, number>;
  until(condition: () => boolean): Promise<void>;
  stop(): Promise<void>;
}

describe('the partition reader', () => {
  let stack: TestStack;
  let kafka: Kafka;
  const open: (() => Promise<void>)[] = [];

  before(async () => {
    stack = await theStack();
    kafka = plainKafka(stack.brokers);
  });
  afterEach(async () => {
    for (const close of open.splice(0)) await close();
  });

  async function read(
    topic: string,
    from?: ReadonlyMap<number, number>,
    onDelivery: (deliveries: readonly Delivery[]) => Promise<void> = () => Promise.resolve(),
  ): Promise<Reading> {
    const log: LogAccess = openLog(topic, accessTo(stack.brokers));
    await connectLog(log, silentLogger, new AbortController().signal);
    const starts = await log.offsets(new Map(log.partitions.map((id) => [id, logStart])));
    const values: number[] = [];
    const positions = new Map<number, number>();
    const restarts = new Map<number, number>();
    const reader: PartitionReader = startPartitionReader({
      topic,
      log,
      logger: silentLogger,
      from: from ?? starts,
      maxBytesPerPartition: 16_384,
      async deliver(deliveries) {
        await onDelivery(deliveries);
        for (const { partition, records, position, restartAt } of deliveries) {
          positions.set(partition, position);
          restarts.set(partition, restartAt);
          values.push(...records.map(({ value }) => Number(value?.toString())));
        }
      },
    });
    const stop = async (): Promise<void> => {
      await reader.stop();
      await log.close();
    };
    open.push(stop);
    return {
      values,
      positions,
      restarts,
      stop,
      async until(condition) {
        while (!condition()) await sleep(10);
      },
    };
  }

  const sorted = (values: readonly number[]): number[] => [...values].sort((a, b) => a - b);
  const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

  it('reads every partition from the offsets that it is given, and goes on with what comes later', async () => {
    const topic = await freshTopic(kafka, 'read', 3);
    const producer = await connectedProducer(kafka);
    open.push(() => producer.disconnect());
    await producer.send({ topic, messages: numbered(0, 3_000), compression: CompressionTypes.GZIP });
    const reading = await read(topic);
    await reading.until(() => reading.values.length >= 3_000);
    await producer.send({ topic, messages: numbered(3_000, 10) });
    await reading.until(() => reading.values.length >= 3_010);
    assert.deepEqual(sorted(reading.values), upTo(3_010));
  });

  it('gets past control records and aborted data, and delivers a transaction once it is committed', async () => {
    const topic = await freshTopic(kafka, 'read');
    const plain = await connectedProducer(kafka);
    const transactional = await connectedProducer(kafka, topic);
    open.push(
      () => plain.disconnect(),
      () => transactional.disconnect(),
    );
    const reading = await read(topic);
    const aborted = await transactional.transaction();
    await aborted.send({ topic, messages: numbered(100, 2) });
    await aborted.abort();
    const transaction = await transactional.transaction();
    await transaction.send({ topic, messages: numbered(0, 2) });
    await plain.send({ topic, messages: numbered(2, 1) });
    await reading.until(() => reading.values.length >= 1);
    assert.deepEqual(reading.values, [2]);
    assert.equal(reading.restarts.get(0), 3);
    await transaction.commit();
    await reading.until(() => reading.positions.get(0) === 7);
    assert.deepEqual(reading.values, [2, 0, 1]);
    assert.equal(reading.restarts.get(0), 7);
  });

  it('delivers refused records again, and no accepted record twice', async () => {
    const topic = await freshTopic(kafka, 'read', 2);
    const producer = await connectedProducer(kafka);
    open.push(() => producer.disconnect());
    await producer.send({ topic, messages: numbered(0, 2_000) });
    let refusals = 0;
    const reading = await read(topic, undefined, () =>
      ++refusals % 3 === 1 ? Promise.reject(new Error('the disk is full')) : Promise.resolve(),
    );
    await reading.until(() => reading.values.length >= 2_000);
    assert.deepEqual(sorted(reading.values), upTo(2_000));
  });

  it('reads from the start of the log if its offset no longer exists', async () => {
    const topic = await freshTopic(kafka, 'read');
    const producer = await connectedProducer(kafka);
    open.push(() => producer.disconnect());
    await producer.send({ topic, messages: numbered(0, 10) });
    const admin = kafka.admin();
    await admin.connect();
    await admin.fetchTopicOffsets(topic); // deleteTopicRecords needs the topic's metadata
    await admin.deleteTopicRecords({ topic, partitions: [{ partition: 0, offset: '6' }] });
    await admin.disconnect();
    const reading = await read(topic, new Map([[0, 2]]));
    await reading.until(() => reading.values.length >= 4);
    assert.deepEqual(reading.values, [6, 7, 8, 9]);
  });

  it('gets past batches that compaction has emptied', async () => {
    const topic = await freshTopic(kafka, 'read', 1, {
      'cleanup.policy': 'compact',
      'segment.ms': '100',
      'min.cleanable.dirty.ratio': '0.01',
      'max.compaction.lag.ms': '100',
      'delete.retention.ms': '1',
    });
    // Kafka keeps each producer's last batch, even empty, for as long as it remembers the producer.
    for (let round = 0; round < 5; round++) {
      const producer = await connectedProducer(kafka);
      await producer.send({ topic, messages: [{ key: 'same', value: String(round) }] });
      await producer.disconnect();
      await sleep(150);
    }
    const log = openLog(topic, accessTo(stack.brokers));
    open.push(() => log.close());
    await connectLog(log, silentLogger, new AbortController().signal);
    for (;;) {
      const [fetched] = await log.fetch({
        leader: [...log.byLeader([0]).keys()][0] ?? '',
        from: new Map([[0, 0]]),
        maxWaitMs: 100,
        maxBytesPerPartition: 1_000_000,
      });
      if (fetched?.batches.some(({ records }) => records.length === 0)) break;
      await sleep(200);
    }
    const reading = await read(topic);
    await reading.until(() => reading.positions.get(0) === 5);
    assert.equal(reading.values.at(-1), 4);
    assert.ok(!reading.values.includes(0));
  });

  it('goes on where it was after the broker was killed, without a gap or a repetition', async () => {
    const topic = await freshTopic(kafka, 'read', 3);
    const producer = await connectedProducer(kafka);
    open.push(() => producer.disconnect());
    const reading = await read(topic);
    let sent = 0;
    const broker = { restarted: false };
    const sending = (async () => {
      while (!broker.restarted || sent < 3_000) {
        await producer.send({ topic, messages: numbered(sent, 20) });
        sent += 20;
        await sleep(5);
      }
    })();
    await reading.until(() => reading.values.length > 400);
    await stack.kafka.kill9();
    await sleep(500);
    await stack.kafka.start();
    broker.restarted = true;
    await sending;
    await reading.until(() => new Set(reading.values).size >= sent);
    assert.deepEqual(sorted(reading.values), upTo(sent));
  });
});
