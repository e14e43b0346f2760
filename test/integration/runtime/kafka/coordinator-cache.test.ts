import assert from 'node:assert/strict';
import Cluster from 'kafkajs/src/cluster/index.js';
import { createKafka } from '../../../../runtime/kafka/client.js';
import { rememberCoordinators } from '../../../../runtime/kafka/coordinator-cache.js';
import { openTransactionalProducer } from '../../../../runtime/kafka/transactional-producer.js';
import { silentLogger } from '../../../../runtime/logging.js';
import { plainKafka } from '../../../support/kafka.js';
import { freshTopic } from '../../../support/topic-of-test.js';
import { theStack } from '../../../support/stack.js';
import { plaintext } from '../../../../runtime/kafka/security/kafka-security.js';

describe('the coordinator of a transaction', () => {
  const original = Object.getOwnPropertyDescriptor(Cluster.prototype, 'findGroupCoordinatorMetadata');

  before(() => {
    return theStack();
  });
  afterEach(() => {
    if (original !== undefined)
      Object.defineProperty(Cluster.prototype, 'findGroupCoordinatorMetadata', original);
  });

  it('is asked for once, not before every request', async () => {
    const { brokers } = await theStack();
    const kafka = createKafka({ brokers, security: plaintext, clientId: 'test', logger: silentLogger });
    const topic = await freshTopic(plainKafka(brokers), 'coordinator');
    const asked = new Map<string, number>();
    const remembering = Cluster.prototype.findGroupCoordinatorMetadata;
    const answers = new Map<string, Set<unknown>>();
    Cluster.prototype.findGroupCoordinatorMetadata = function (this: Cluster, of) {
      const answer = remembering.call(this, of);
      const key = `${of.coordinatorType}:${of.groupId}`;
      asked.set(key, (asked.get(key) ?? 0) + 1);
      answers.set(key, (answers.get(key) ?? new Set()).add(answer));
      return answer;
    };
    const producer = await openTransactionalProducer(kafka, topic);
    for (let next = 1; next <= 5; next++) {
      const record = { topic, key: null, value: Buffer.from(String(next)) };
      await producer.commit([record], { groupId: topic, topic, partition: 0, next });
    }
    await producer.discard();
    assert.ok((asked.get(`1:${topic}`) ?? 0) >= 15, 'kafkajs asks for it all the time');
    assert.ok((answers.get(`1:${topic}`)?.size ?? 99) <= 3, 'and is told the same answer');
  });

  it('is forgotten where nobody could say it', async () => {
    rememberCoordinators();
    const { brokers } = await theStack();
    const cluster = { brokerPool: { withBroker: () => Promise.reject(new Error('away')) }, brokers };
    const ask = (): Promise<unknown> =>
      Cluster.prototype.findGroupCoordinatorMetadata.call(cluster as unknown as Cluster, {
        groupId: 'g',
        coordinatorType: 1,
      });
    const first = ask();
    await assert.rejects(first, /away/);
    const second = ask();
    assert.notEqual(second, first);
    await assert.rejects(second, /away/);
  });
});
