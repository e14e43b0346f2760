import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { openGroupLagReader } from '../../../../../runtime/kafka/consume/group-lag.js';
import { accessTo, connectedProducer, plainKafka } from '../../../../support/kafka.js';
import { theStack } from '../../../../support/stack.js';
import { freshTopic } from '../../../../support/topic-of-test.js';
import { until } from '../../../../support/until.js';

const openSockets = (): number =>
  process.getActiveResourcesInfo().filter((resource) => resource === 'TCPSocketWrap').length;

describe('a reader of lags', () => {
  it('leaves no connection open if it is stopped while it reads', async () => {
    const { brokers } = await theStack();
    const topic = await freshTopic(plainKafka(brokers), 'lag');
    const before = openSockets();
    for (const delayMs of [0, 2, 4, 6, 8, 10, 15, 20]) {
      const reader = openGroupLagReader(accessTo(brokers));
      const read = reader.read([{ groupId: 'nobody', topic }], [topic]);
      read.catch(() => undefined);
      await sleep(delayMs);
      await reader.stop();
    }
    await sleep(200);
    assert.ok(openSockets() <= before, `${openSockets()} sockets, ${before} before`);
  });

  it('knows how long a group has waited for the end of a transaction', async () => {
    const { brokers } = await theStack();
    const kafka = plainKafka(brokers);
    const topic = await freshTopic(kafka, 'lag');
    const producer = await connectedProducer(kafka, topic);
    const transaction = await producer.transaction();
    await transaction.send({ topic, messages: [{ partition: 0, value: 'undecided' }] });
    await sleep(50);
    const reader = openGroupLagReader(accessTo(brokers));
    const lagOf = async () => (await reader.read([{ groupId: topic, topic }], [])).groups[0]?.partitions[0];
    const waiting = await lagOf();
    await transaction.abort();
    // The markers are written after the abort is confirmed.
    await until('the transaction has ended', async () => (await lagOf())?.isUndecided === false);
    const after = await lagOf();
    await reader.stop();
    await producer.disconnect();
    assert.deepEqual([waiting?.records, waiting?.isUndecided], [1, true]);
    assert.ok((waiting?.seconds ?? 0) >= 0.05, `${waiting?.seconds} s`);
    assert.deepEqual([after?.records, after?.seconds, after?.isUndecided], [0, 0, false]);
  });
});
