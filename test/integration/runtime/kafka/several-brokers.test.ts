import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Kafka } from 'kafkajs';
import { openLane } from '../../../../runtime/kafka/append-lane.js';
import type { KafkaAccess } from '../../../../runtime/kafka/kafka-access.js';
import { openLog } from '../../../../runtime/kafka/log-access.js';
import type { EncodedRecord } from '../../../../runtime/kafka/records.js';
import { openTransactionalProducer } from '../../../../runtime/kafka/transactional-producer.js';
import { silentLogger } from '../../../../runtime/logging.js';
import { startBrokerProxies, type BrokerProxies } from '../../../support/broker-proxies.js';
import { accessTo, plainKafka } from '../../../support/kafka.js';
import { startKafkaCluster, type KafkaCluster } from '../../../support/kafka-cluster.js';
import { freshTopic, recordsOf } from '../../../support/topic-of-test.js';
import { until } from '../../../support/until.js';

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

  /** One leader's answer says that it failed, while another leader's answer is held back for a while. */
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

  it('take what a lane sends once each', async () => {
    const topic = await freshTopic(kafka, 'lane', 3, replicated);
    const access = { ...accessTo(cluster.brokers), security: proxies.security };
    const lane = await openLane({ access, logger: silentLogger, onReady: () => undefined });
    await lane.send(oneEach(topic, 'warm'));
    await whileOneIsSlow(topic, () => lane.send(oneEach(topic, 'once')));
    await lane.send(oneEach(topic, 'after'));
    await lane.close();
    assert.deepEqual(await copiesOf(topic), [3, 3, 3]);
  });

  it('take what a transaction sends once each', async () => {
    const topic = await freshTopic(kafka, 'transaction', 3, replicated);
    const access = { ...accessTo(cluster.brokers), security: proxies.security };
    const producer = await openTransactionalProducer(access, topic);
    await producer.commit(oneEach(topic, 'warm'));
    await whileOneIsSlow(topic, () => producer.commit(oneEach(topic, 'once')));
    await producer.commit(oneEach(topic, 'after'));
    await producer.discard();
    assert.deepEqual(await copiesOf(topic), [3, 3, 3]);
  });

  it('are enough without the first in the list: for who is at work, and for who only starts', async () => {
    const topic = await freshTopic(kafka, 'first-dead', 3, replicated);
    const access = accessTo(cluster.brokers);
    // An election takes seconds, and on a machine with other work as long as it likes.
    const patienceMs = 240_000;
    const open = () => openLane({ access, logger: silentLogger, onReady: () => undefined, patienceMs });
    const lane = await open();
    await lane.send(oneEach(topic, 'before'));
    const [first] = cluster.nodes;
    await first?.kill9();
    await lane.send(oneEach(topic, 'over the election'));
    const fresh = await open();
    await fresh.send(oneEach(topic, 'from the start'));
    await until('a transaction is committed', () => isCommitted(access, topic, oneEach(topic, 'committed')));
    const log = openLog(topic, access);
    await log.refresh();
    assert.deepEqual(log.partitions, partitions);
    await Promise.all([lane.close(), fresh.close(), log.close()]);
    await first?.start();
    const values = (await recordsOf(kafka, topic)).map(({ value }) => String(value));
    for (const sent of ['before', 'over the election', 'from the start'])
      assert.equal(values.filter((value) => value === sent).length, partitions.length, sent);
    assert.ok(values.includes('committed'));
  });
});

/** Whatever is under way with a coordinator that has died is given up, and tried anew. */
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
