import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { openGroupConsumer } from '../../../../../runtime/kafka/consume/group-consumer.js';
import { silentLogger } from '../../../../../runtime/logging.js';
import { createMetrics } from '../../../../../runtime/metrics.js';
import { accessTo, connectedProducer, numbered, plainKafka } from '../../../../support/kafka.js';
import { theStack } from '../../../../support/stack.js';
import { freshTopic } from '../../../../support/topic-of-test.js';
import { until } from '../../../../support/until.js';

describe('a consumer of a group', () => {
  it('goes on after an error for which the library gives up', async () => {
    const { brokers } = await theStack();
    const kafka = plainKafka(brokers);
    const topic = await freshTopic(kafka, 'group-consumer');
    const producer = await connectedProducer(kafka);
    await producer.send({ topic, messages: numbered(0, 3) });
    let crashes = 0;
    const group = await openGroupConsumer({
      ...{
        kafka: accessTo(brokers),
        topic,
        groupId: `test.${randomUUID()}`,
        partitions: 1,
        fetch: { maxWaitTimeInMs: 100 },
      },
      ...{ logger: silentLogger, metrics: createMetrics() },
      sessionTimeoutMs: 3_000,
      fatal: (error) => assert.fail(error),
      onAssigned: () => undefined,
      onPassedOver: () => undefined,
      onCrash: () => void (crashes += 1),
    });
    const seen: string[] = [];
    await group.run(({ records }) => {
      // As kafkajs throws where a group has no coordinator: not to be tried again.
      if (crashes === 0)
        return Promise.reject(
          Object.assign(new Error('no coordinator'), { name: 'KafkaJSNotImplemented', retriable: false }),
        );
      seen.push(...records.map(({ value }) => String(value)));
      return Promise.resolve();
    });
    await until('it has read all', () => seen.length >= 3);
    assert.equal(crashes, 1);
    await group.stop(() => undefined);
    await producer.disconnect();
  });
});
