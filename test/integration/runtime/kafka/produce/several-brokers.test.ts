import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Kafka } from 'kafkajs';
import { createHealth } from '../../../../../runtime/health.js';
import { startCompactedView } from '../../../../../runtime/kafka/views/compacted-view.js';
import { MemoryTarget } from '../../../../../runtime/kafka/views/view-target.js';
import { partitionOf, produce } from '../../../../../runtime/kafka/protocol/produce-request.js';
import { createMetrics } from '../../../../../runtime/metrics.js';
import { createKafka } from '../../../../../runtime/kafka/client/client.js';
import { connectCluster } from '../../../../../runtime/kafka/client/cluster.js';
import { requireKafka, watchKafka } from '../../../../../runtime/kafka/client/kafka-watch.js';
import { withTopicAdmin } from '../../../../../runtime/kafka/client/topic-admin.js';
import { applyTopics } from '../../../../../topics/apply.js';
import type { WantedTopic } from '../../../../../topics/plan.js';
import { avro, deleteAfter, topic as declareTopic } from '../../../../../topics/topic.js';
import { jsonCodec } from '../../../../support/json-codec.js';
import { readConfig } from '../../../../../runtime/config.js';
import { appendConfig } from '../../../../../runtime/kafka/client/config.js';
import { openBatchingAppender } from '../../../../../runtime/kafka/produce/batching-appender.js';
import { openProducerSlot } from '../../../../../runtime/kafka/produce/producer-slot.js';
import type { KafkaAccess } from '../../../../../runtime/kafka/client/kafka-access.js';
import { openLog } from '../../../../../runtime/kafka/consume/log-access.js';
import type { EncodedRecord } from '../../../../../runtime/kafka/produce/appender.js';
import { openTransactionalProducer } from '../../../../../runtime/kafka/transactions/transactional-producer.js';
import { startBrokerProxies, type BrokerProxies } from '../../../../support/broker-proxies.js';
import { accessTo, plainKafka } from '../../../../support/kafka.js';
import { startKafkaCluster, type KafkaCluster } from '../../../../support/kafka-cluster.js';
import { atScale } from '../../../../support/scale.js';
import { freshTopic, recordsOf } from '../../../../support/topic-of-test.js';
import { until } from '../../../../support/until.js';

const partitions = [0, 1, 2];
const replicated = { 'min.insync.replicas': '2' };

describe('several brokers', function () {
  this.timeout(300_000);
  const folder = mkdtempSync(join(tmpdir(), 'telltale-brokers-'));
  let cluster: KafkaCluster;
  let kafka: Kafka;
  let proxies: BrokerProxies;

  before(async () => {
    cluster = await startKafkaCluster(folder);
    kafka = plainKafka(cluster.brokers);
    proxies = await startBrokerProxies(cluster.brokers.map(portOf));
  });
  after(async () => {
    await proxies.stop();
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** One record for each partition, so that every broker gets one request. */
  const oneEach = (topic: string, value: string): EncodedRecord[] =>
    partitions.map((partition) => ({ topic, key: null, value: Buffer.from(value), partition }));

  const copiesOf = async (topic: string): Promise<number[]> => {
    const records = await recordsOf(kafka, topic);
    return partitions.map((id) => records.filter(({ partition }) => partition === id).length);
  };

  /** One leader answers with a failure, while another leader's answer is delayed. */
  async function whileOneIsSlow(topic: string, send: () => Promise<unknown>): Promise<void> {
    const admin = kafka.admin();
    await admin.connect();
    const { topics } = await admin.fetchTopicMetadata({ topics: [topic] });
    await admin.disconnect();
    const leaderOf = (id: number): number =>
      portOf(
        cluster.brokers[
          (topics[0]?.partitions.find(({ partitionId }) => partitionId === id)?.leader ?? 0) - 1
        ],
      );
    const [slow, failing] = [proxies.fault(leaderOf(0)), proxies.fault(leaderOf(1))];
    assert.notEqual(slow, failing);
    slow.heldBy = () => sleep(500);
    failing.timedOut = 1;
    try {
      await send();
    } finally {
      slow.heldBy = () => Promise.resolve();
    }
    assert.equal(failing.timedOut, 0);
  }

  it('hold the wanted number of replicas, and then require two in sync', async () => {
    const topic = await topicOnBrokers(kafka, [[1], [2], [3]]);
    const wanted: WantedTopic = { name: topic, partitions: 3, config: {} };
    const apply = (replication: number) =>
      withTopicAdmin(accessTo(cluster.brokers), (admin) => applyTopics([wanted], admin, { replication }));
    await assert.rejects(apply(4), { code: 'TOO_FEW_BROKERS' });
    await apply(3);
    const configured = { kind: 'configure', topic, config: { 'min.insync.replicas': '2' } };
    await until('all replicas are in sync', async () =>
      isDeepStrictEqual((await apply(3)).changes, [configured]),
    );
    await until('every broker knows the setting', async () => (await apply(3)).changes.length === 0);
  });

  it('create topics, even if some learn of them later than others', async () => {
    for (let round = 0; round < atScale(2, 5); round++) {
      const wanted = Array.from({ length: 20 }, () => ({
        name: `test.many.${randomUUID().slice(0, 8)}`,
        partitions: 3,
        config: {},
      }));
      await withTopicAdmin(accessTo(cluster.brokers), (admin) =>
        applyTopics(wanted, admin, { replication: 3 }),
      );
    }
  });

  it('refuse one setting of a topic, and apply all others', async () => {
    const name = `test.refused.${randomUUID().slice(0, 8)}`;
    const config = { 'retention.ms': '60000', 'segment.ms': '-5', 'cleanup.policy': 'compact' };
    const refused = [{ topic: name, config: { 'segment.ms': '-5' } }];
    const apply = () =>
      withTopicAdmin(accessTo(cluster.brokers), (admin) =>
        applyTopics([{ name, partitions: 2, config }], admin, { replication: 1 }),
      );
    const created = await apply();
    assert.deepEqual([created.changes.map(({ kind }) => kind), created.refused], [['create'], refused]);
    const again = {
      changes: [{ kind: 'configure', topic: name, config: { 'segment.ms': '-5' } }],
      refused,
      unreplicated: [],
    };
    await until('every broker has heard of it', async () => isDeepStrictEqual(await apply(), again));
  });

  it('store each record of a slot once', async () => {
    const topic = await freshTopic(kafka, 'slot', 3, replicated);
    const access = { ...accessTo(cluster.brokers), security: proxies.security };
    const slot = await openProducerSlot({ access, onReady: () => undefined });
    await slot.send(oneEach(topic, 'warm'));
    await whileOneIsSlow(topic, () => slot.send(oneEach(topic, 'once')));
    await slot.send(oneEach(topic, 'after'));
    await slot.close();
    assert.deepEqual(await copiesOf(topic), [3, 3, 3]);
  });

  it('store each record of a transaction once', async () => {
    const topic = await freshTopic(kafka, 'transaction', 3, replicated);
    const access = { ...accessTo(cluster.brokers), security: proxies.security };
    const producer = await openTransactionalProducer(access, topic);
    await producer.commit(oneEach(topic, 'warm'));
    await whileOneIsSlow(topic, () => producer.commit(oneEach(topic, 'once')));
    await producer.commit(oneEach(topic, 'after'));
    await producer.discard();
    assert.deepEqual(await copiesOf(topic), [3, 3, 3]);
  });

  it('suffice without the first in the list, for running and for newly started clients', async () => {
    const topic = await freshTopic(kafka, 'first-dead', 3, replicated);
    const access = accessTo(cluster.brokers);
    // An election takes seconds, and on a busy machine much longer.
    const retryForMs = 240_000;
    const open = () => openProducerSlot({ access, onReady: () => undefined, retryForMs });
    const slot = await open();
    await slot.send(oneEach(topic, 'before'));
    const [first] = cluster.nodes;
    await first?.kill9();
    await slot.send(oneEach(topic, 'over the election'));
    const fresh = await open();
    await fresh.send(oneEach(topic, 'from the start'));
    await until('a transaction is committed', () => isCommitted(access, topic, oneEach(topic, 'committed')));
    const log = openLog(topic, access);
    await log.refresh();
    assert.deepEqual(log.partitions, partitions);
    await Promise.all([slot.close(), fresh.close(), log.close()]);
    await first?.start();
    const values = (await recordsOf(kafka, topic)).map(({ value }) => String(value));
    for (const sent of ['before', 'over the election', 'from the start'])
      assert.equal(values.filter((value) => value === sent).length, partitions.length, sent);
    assert.ok(values.includes('committed'));
  });

  it('suffice while the first in the list accepts connections but answers nothing', async () => {
    const topic = await freshTopic(kafka, 'first-hangs', 3, replicated);
    const access = accessTo(cluster.brokers);
    const [first] = cluster.nodes;
    assert.ok(first?.pid !== undefined);
    process.kill(first.pid, 'SIGSTOP');
    const health = createHealth();
    const watch = watchKafka({ kafka: access, topics: [{ name: topic }], health });
    try {
      await requireKafka(access);
      const admin = createKafka(access).admin();
      await admin.connect();
      await admin.disconnect();
      await until('the process is ready', () => Promise.resolve(health.readiness().ready));
    } finally {
      process.kill(first.pid, 'SIGCONT');
      await watch.stop();
    }
  });

  it('do not let a request wait for one that hangs, once they have declared it dead', async () => {
    const topic = await topicOnBrokers(kafka, [[1, 2, 3]]);
    const connected = await connectCluster('test', accessTo(cluster.brokers));
    await connected.addTargetTopic(topic);
    const leader = await connected.findBroker({ nodeId: '1' });
    const { pid } = cluster.nodes[0] ?? assert.fail();
    assert.ok(pid !== undefined);
    process.kill(pid, 'SIGSTOP');
    try {
      const requestTimeoutMs = 120_000;
      const sent = produce(leader, [], { producerId: -1n, producerEpoch: -1 }, requestTimeoutMs);
      await assert.rejects(sent, {
        name: 'KafkaJSConnectionError',
        message: 'Kafka no longer lists broker 1',
      });
    } finally {
      process.kill(pid, 'SIGCONT');
      await connected.disconnect();
    }
  });

  it('accept records for the other partitions while one leader hangs, and store each once', async () => {
    const topic = await topicOnBrokers(kafka, [[1], [2], [3]]);
    const appender = await openBatchingAppender({
      ...accessTo(cluster.brokers),
      metrics: createMetrics(),
      config: readConfig(appendConfig, {}),
    });
    const acknowledged: string[] = [];
    let refused = 0;
    const append = async (partition: number): Promise<void> => {
      const value = randomUUID();
      try {
        await appender.append([{ topic, key: null, value: Buffer.from(value), partition }]);
        acknowledged.push(value);
      } catch {
        refused += 1;
      }
    };
    const appendMany = async (of: readonly number[], count: number): Promise<void> => {
      for (let at = 0; at < count; at++) await Promise.all(of.map(append));
    };
    await appendMany([0, 1, 2], 5);
    const { pid } = cluster.nodes[0] ?? assert.fail();
    assert.ok(pid !== undefined);
    process.kill(pid, 'SIGSTOP');
    try {
      // More than there are producers: each waits for the hanging leader.
      const waiting = Promise.all(Array.from({ length: 9 }, () => appendMany([0], 1)));
      await waiting;
      // Nine, unless the machine is so slow that the partition has another leader by now.
      const refusedSoFar = refused;
      await sleep(2_000);
      await appendMany([1, 2], 20);
      assert.equal(refused, refusedSoFar, 'records for leaders that answer were refused');
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    await until('the partition takes records again', async () => {
      const before = acknowledged.length;
      await append(0);
      return acknowledged.length > before;
    });
    await appender.stop();
    const values = (await recordsOf(kafka, topic)).map(({ value }) => String(value));
    assert.equal(new Set(values).size, values.length);
    assert.deepEqual(
      acknowledged.filter((value) => !values.includes(value)),
      [],
    );
  });

  it('leave one partition without a leader, while the others can still be written and read', async () => {
    const access = accessTo(cluster.brokers);
    const name = await topicOnBrokers(kafka, [[2], [3]]);
    const entries = new MemoryTarget<Entry>();
    const view = startCompactedView({
      topic: declareTopic<Entry>({
        name,
        key: 'task id',
        value: avro<Entry>('none'),
        partitions: 2,
        cleanup: deleteAfter({ days: 1 }),
        owner: 'test',
      }),
      codec: jsonCodec<Entry>(),
      target: entries,
      kafka: access,
      condition: createHealth().condition('view'),
      metrics: createMetrics(),
      timeoutMs: 60_000,
    });
    await view.caughtUp;
    const log = openLog(name, access);
    await log.refresh();
    await cluster.nodes[2]?.kill9();
    await until('a partition has no leader', async () => {
      await log.recount().catch(() => undefined);
      return !log.hasLeader(1);
    });
    const id = keyIn(0);
    const producer = await openTransactionalProducer(access, name);
    await producer.commit([
      { topic: name, key: Buffer.from(id), value: Buffer.from(JSON.stringify({ id })) },
    ]);
    await producer.discard();
    // A commit is confirmed before its markers are written.
    await view.decided(id);
    assert.deepEqual(entries.get(id), { id });
    let isAnswered = false;
    const other = view.upToDate(keyIn(1)).then(() => (isAnswered = true));
    await view.upToDate(id);
    assert.equal(isAnswered, false);
    await cluster.nodes[2]?.start();
    await other;
    await Promise.all([view.stop(), log.close()]);
  });
});

interface Entry {
  readonly id: string;
}

function keyIn(partition: number): string {
  for (let number = 0; ; number++) if (partitionOf(`key-${number}`, 2) === partition) return `key-${number}`;
}

/** A topic with one partition per list of brokers, which keep its replicas. */
async function topicOnBrokers(kafka: Kafka, brokers: readonly number[][]): Promise<string> {
  const topic = `test.placed.${randomUUID().slice(0, 8)}`;
  const admin = kafka.admin();
  await admin.connect();
  const replicaAssignment = brokers.map((replicas, partition) => ({ partition, replicas }));
  await admin.createTopics({ waitForLeaders: false, topics: [{ topic, replicaAssignment }] });
  await admin.disconnect();
  await until(`${topic} is served`, async () => (await leadersOf(kafka, topic)) === brokers.length);
  return topic;
}

async function leadersOf(kafka: Kafka, topic: string): Promise<number> {
  const admin = kafka.admin();
  await admin.connect();
  try {
    const { topics } = await admin.fetchTopicMetadata({ topics: [topic] });
    return topics.flatMap(({ partitions: found }) => found).filter(({ leader }) => leader >= 0).length;
  } catch {
    return 0;
  } finally {
    await admin.disconnect();
  }
}

/** False if the commit failed, for example because its coordinator died: the caller starts from scratch. */
async function isCommitted(access: KafkaAccess, id: string, records: EncodedRecord[]): Promise<boolean> {
  try {
    const producer = await openTransactionalProducer(access, id);
    await producer.commit(records);
    await producer.discard();
    return true;
  } catch {
    return false;
  }
}

function portOf(broker = ''): number {
  return Number(broker.split(':')[1]);
}
