import assert from 'node:assert/strict';
import { createKafka } from '../../../../../runtime/kafka/client/client.js';
import { readLog } from '../../../../../runtime/kafka/consume/read-log.js';
import { plaintext } from '../../../../../runtime/kafka/client/kafka-access.js';
import { silentLogger } from '../../../../../runtime/logging.js';
import { accessTo } from '../../../../support/kafka.js';
import { theStack } from '../../../../support/stack.js';
import { freshTopic } from '../../../../support/topic-of-test.js';

describe('a range of a log', () => {
  it('is read in the order of its offsets, in whichever order its transactions were committed', async () => {
    const { brokers } = await theStack();
    const kafka = createKafka({ brokers, security: plaintext, clientId: 'test', logger: silentLogger });
    const topic = await freshTopic(kafka, 'interleaved');
    const producers = ['first', 'second'].map((name) =>
      kafka.producer({ transactionalId: `${topic}.${name}`, idempotent: true, maxInFlightRequests: 1 }),
    );
    const [first, second] = await Promise.all(
      producers.map(async (producer) => {
        await producer.connect();
        return producer.transaction();
      }),
    );
    assert.ok(first && second);
    await first.send({ topic, messages: [{ value: '0' }] });
    await second.send({ topic, messages: [{ value: '1' }] });
    await second.commit();
    await first.commit();
    await Promise.all(producers.map((producer) => producer.disconnect()));

    const read: number[] = [];
    await readLog({
      topic,
      kafka: accessTo(brokers),
      ranges: new Map([[0, { from: 0, to: 2 }]]),
      take: (_, records) => void read.push(...records.map(({ offset }) => offset)),
    });
    assert.deepEqual(read, [0, 1]);
  });
});
