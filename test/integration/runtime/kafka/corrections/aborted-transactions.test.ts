import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Transaction } from 'kafkajs';
import { createKafka } from '../../../../../runtime/kafka/client/client.js';
import { readOnlyCommitted } from '../../../../../runtime/kafka/corrections/consumers.js';
import { accessTo, connectedProducer, plainKafka } from '../../../../support/kafka.js';
import { freshTopic } from '../../../../support/topic-of-test.js';
import { readCommitted } from '../../../../support/read-topic.js';
import { theStack } from '../../../../support/stack.js';

describe('aborted transactions', () => {
  it('are never read, in whatever order several of one partition end', async () => {
    const { brokers } = await theStack();
    const kafka = plainKafka(brokers);
    const topic = await freshTopic(kafka, 'aborted');
    const producers = await Promise.all([1, 2, 3, 4].map(() => connectedProducer(kafka, randomUUID())));
    const send = (transaction: Transaction, value: string) =>
      transaction.send({ topic, messages: [{ key: 'k', value }] });

    for (let round = 0; round < 5; round++) {
      const transactions: Transaction[] = [];
      for (const producer of producers) transactions.push(await producer.transaction());
      for (let turn = 0; turn < 2; turn++) {
        for (const [index, transaction] of transactions.entries()) {
          await send(transaction, index === 1 ? 'committed' : 'aborted');
        }
      }
      // They end in a different order than they started, which is the order in which a broker lists them.
      for (const index of [3, 1, 2, 0]) {
        const transaction = transactions[index];
        assert.ok(transaction);
        await (index === 1 ? transaction.commit() : transaction.abort());
      }
    }
    await Promise.all(producers.map((producer) => producer.disconnect()));

    const read = await readCommitted(createKafka(accessTo(brokers), readOnlyCommitted), topic, 10);
    assert.deepEqual(
      read.map(({ value }) => String(value)),
      Array<string>(10).fill('committed'),
    );
  });
});
