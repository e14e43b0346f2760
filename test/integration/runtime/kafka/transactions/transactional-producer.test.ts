import assert from 'node:assert/strict';
import { openTransactionalProducer } from '../../../../../runtime/kafka/transactions/transactional-producer.js';
import { accessTo, plainKafka } from '../../../../support/kafka.js';
import { readCommitted } from '../../../../support/read-topic.js';
import { theStack } from '../../../../support/stack.js';
import { freshTopic } from '../../../../support/topic-of-test.js';

describe('two transactional producers under one id', () => {
  it('fence each other in turn, and nothing of a fenced one is read', async () => {
    const { brokers } = await theStack();
    const kafka = plainKafka(brokers);
    const topic = await freshTopic(kafka, 'in-turn');
    const open = () => openTransactionalProducer(accessTo(brokers), topic, { topics: [topic] });
    const record = (value: string) => [{ topic, key: null, value: Buffer.from(value) }];
    const fenced = { code: 'PRODUCER_FENCED' };
    const one = await open();
    await one.commit(record('1'));
    const other = await open();
    await assert.rejects(one.commit(record('lost')), fenced);
    await other.commit(record('2'));
    await one.takeBack();
    await one.commit(record('3'));
    await assert.rejects(other.commit(record('lost')), fenced);
    await Promise.all([one.discard(), other.discard()]);
    const values = (await readCommitted(kafka, topic, 3)).map(({ value }) => String(value));
    assert.deepEqual(values, ['1', '2', '3']);
  });
});
