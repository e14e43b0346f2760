import assert from 'node:assert/strict';
import kafkajs, { type Kafka } from 'kafkajs';
import type { Broker } from 'kafkajs/src/cluster/index.js';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  recoverHangingTransaction,
  type RecoveredTransaction,
} from '../../../../../runtime/kafka/transactions/recover-hanging-transaction.js';
import { type KafkaAccess, plaintext } from '../../../../../runtime/kafka/client/kafka-access.js';
import { connectCluster } from '../../../../../runtime/kafka/client/cluster.js';
import { openTransactionalProducer } from '../../../../../runtime/kafka/transactions/transactional-producer.js';
import { describeTransaction } from '../../../../../runtime/kafka/protocol/transaction-protocol.js';
import { accessTo, plainKafka } from '../../../../support/kafka.js';
import { freshTopic } from '../../../../support/topic-of-test.js';
import { readCommitted } from '../../../../support/read-topic.js';
import { theStack } from '../../../../support/stack.js';
import { until } from '../../../../support/until.js';

/** Requests of kafkajs that `Broker` does not declare. */
interface RawBroker extends Broker {
  produce(request: object): Promise<unknown>;
  txnOffsetCommit(request: object): Promise<unknown>;
}

/**
 * Without verification, a broker accepts a transaction's records after its end. They stay open in the
 * partition while the coordinator calls the transaction complete, the same as if it had left out a marker.
 */
describe('a transaction whose end Kafka has left out in a partition', () => {
  let kafka: Kafka;
  let access: KafkaAccess;

  before(async () => {
    const { brokers } = await theStack();
    kafka = plainKafka(brokers);
    access = accessTo(brokers);
    await verifyTransactions(kafka, false);
    // The first request for each coordinator creates it.
    await (await openTransactionalProducer(access, 'first-of-its-coordinator')).discard();
    const topic = await freshTopic(kafka, 'ended');
    await until('the coordinator of the group is loaded', () =>
      offsetOf(topic).then(
        () => true,
        () => false,
      ),
    );
  });
  after(() => verifyTransactions(kafka, true));

  /** A transaction that ends, followed by writes without an end: a record, and a group's offset. */
  async function lostEnd(how: 'commit' | 'abort'): Promise<{ readonly topic: string; readonly id: string }> {
    const topic = await freshTopic(kafka, 'ended');
    const id = `lost-${topic}`;
    const cluster = await connectCluster('test', access);
    await cluster.addMultipleTargetTopics([topic]);
    const broker = (await cluster.findGroupCoordinator({ groupId: id, coordinatorType: 1 })) as RawBroker;
    const identity = await broker.initProducerId({ transactionalId: id, transactionTimeout: 15_000 });
    const transaction = { ...identity, transactionalId: id };
    const append = (value: string, firstSequence: number): Promise<unknown> =>
      broker.produce({
        ...transaction,
        acks: -1,
        timeout: 5_000,
        topicData: [
          { topic, partitions: [{ partition: 0, firstSequence, messages: [{ key: null, value }] }] },
        ],
      });
    const commitOffset = (offset: number): Promise<unknown> =>
      broker.txnOffsetCommit({
        ...transaction,
        groupId: topic,
        topics: [{ topic, partitions: [{ partition: 0, offset }] }],
      });
    await broker.addPartitionsToTxn({ ...transaction, topics: [{ topic, partitions: [0] }] });
    await append('first', 0);
    await broker.addOffsetsToTxn({ ...transaction, groupId: topic });
    await commitOffset(1);
    await broker.endTxn({ ...transaction, transactionResult: how === 'commit' });
    while (!(await describeTransaction(broker, id)).state.startsWith('Complete')) await sleep(20);
    await append('second', 1);
    await commitOffset(2);
    await cluster.disconnect();
    return { topic, id };
  }

  /** Appends a record after the end of an id's last transaction, with its producer's next sequence number. */
  async function appendAfterEnd(topic: string, id: string, value: string): Promise<void> {
    const cluster = await connectCluster('test', access);
    await cluster.addMultipleTargetTopics([topic]);
    const broker = (await cluster.findGroupCoordinator({ groupId: id, coordinatorType: 1 })) as RawBroker;
    let ended = await describeTransaction(broker, id);
    while (!ended.state.startsWith('Complete')) {
      await sleep(20);
      ended = await describeTransaction(broker, id);
    }
    const { producerId, producerEpoch } = ended;
    await broker.produce({
      producerId,
      producerEpoch,
      transactionalId: id,
      acks: -1,
      timeout: 5_000,
      topicData: [
        { topic, partitions: [{ partition: 0, firstSequence: 1, messages: [{ key: null, value }] }] },
      ],
    });
    await cluster.disconnect();
  }

  async function settle(
    { topic, id }: { topic: string; id: string },
    killedBefore?: 'addPartitionsToTxn' | 'endTxn',
  ): Promise<RecoveredTransaction> {
    const cluster = await connectCluster('test', access);
    if (killedBefore !== undefined) {
      await cluster.addTargetTopic(topic);
      const coordinator = await cluster.findGroupCoordinator({ groupId: id, coordinatorType: 1 });
      coordinator[killedBefore] = () => Promise.reject(new Error('killed'));
    }
    const written = { topics: [topic], groupId: topic };
    try {
      return await recoverHangingTransaction(cluster, id, written, (what) => assert.fail(what));
    } finally {
      await cluster.disconnect();
    }
  }
  const valuesOf = async (topic: string, count: number): Promise<string[]> =>
    (await readCommitted(kafka, topic, count, { quietMs: 500 })).map(({ value }) => String(value));
  async function offsetOf(group: string): Promise<string | undefined> {
    const admin = kafka.admin();
    await admin.connect();
    const [found] = await admin.fetchOffsets({ groupId: group, topics: [group] });
    await admin.disconnect();
    return found?.partitions[0]?.offset;
  }

  it('is committed there too if it was committed: its records appear, and its offsets count', async () => {
    const lost = await lostEnd('commit');
    assert.deepEqual(await valuesOf(lost.topic, 1), ['first']);
    assert.equal(await offsetOf(lost.topic), '1');
    assert.equal(await settle(lost), 'committed');
    assert.deepEqual(await valuesOf(lost.topic, 2), ['first', 'second']);
    assert.equal(await offsetOf(lost.topic), '2');
    assert.equal(await settle(lost), undefined);
  });

  it('is aborted there too if it was aborted', async () => {
    const lost = await lostEnd('abort');
    assert.equal(await settle(lost), 'aborted');
    assert.deepEqual(await valuesOf(lost.topic, 0), []);
    assert.equal(await offsetOf(lost.topic), '-1');
  });

  for (const killedBefore of ['addPartitionsToTxn', 'endTxn'] as const) {
    it(`is committed though who did that was killed before ${killedBefore}`, async () => {
      const lost = await lostEnd('commit');
      await assert.rejects(settle(lost, killedBefore), /killed/);
      const written = { topics: [lost.topic], groupId: lost.topic };
      await (await openTransactionalProducer(access, lost.id, written)).discard();
      assert.deepEqual(await valuesOf(lost.topic, 2), ['first', 'second']);
      assert.equal(await offsetOf(lost.topic), '2');
    });

    it(`is aborted though who did that was killed before ${killedBefore}`, async () => {
      const lost = await lostEnd('abort');
      await assert.rejects(settle(lost, killedBefore), /killed/);
      const written = { topics: [lost.topic], groupId: lost.topic };
      const next = await openTransactionalProducer(access, lost.id, written);
      await next.commit([{ topic: lost.topic, key: 'next', value: Buffer.from('next') }]);
      await next.discard();
      assert.deepEqual(await valuesOf(lost.topic, 1), ['next']);
      assert.equal(await offsetOf(lost.topic), '-1');
    });
  }

  it('is committed at once if its living producer has lost the coordinator and must look it up again', async () => {
    const topic = await freshTopic(kafka, 'ended');
    const id = `living-${topic}`;
    const sockets = new Set<Socket>();
    const openSocket: typeof plaintext.openSocket = (...of) => {
      const socket = plaintext.openSocket(...of);
      sockets.add(socket);
      return socket;
    };
    const own = { ...access, security: { ...plaintext, openSocket } };
    const producer = await openTransactionalProducer(own, id, { topics: [topic] });
    await producer.commit([{ topic, key: 'first', value: Buffer.from('first') }]);
    await appendAfterEnd(topic, id, 'second');
    for (const socket of sockets) socket.destroy(new Error('the broker is gone'));
    assert.deepEqual(await valuesOf(topic, 2), ['first', 'second']);
    const next = [{ topic, key: 'next', value: Buffer.from('next') }];
    await assert.rejects(producer.commit(next), { code: 'PRODUCER_FENCED' });
    await producer.takeBack();
    await producer.commit(next);
    await producer.discard();
    assert.deepEqual(await valuesOf(topic, 3), ['first', 'second', 'next']);
  });

  it('does not exist for an id that nobody has used', async () => {
    const topic = await freshTopic(kafka, 'ended');
    assert.equal(await settle({ topic, id: `never-${topic}` }), undefined);
  });
});

async function verifyTransactions(kafka: Kafka, verified: boolean): Promise<void> {
  const admin = kafka.admin();
  await admin.connect();
  await admin.alterConfigs({
    validateOnly: false,
    resources: [
      {
        type: kafkajs.ConfigResourceTypes.BROKER,
        name: '1',
        configEntries: [{ name: 'transaction.partition.verification.enable', value: String(verified) }],
      },
    ],
  });
  await admin.disconnect();
}
