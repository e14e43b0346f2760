import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { createIdempotentAppender } from '../../../../../runtime/kafka/transactions/idempotent-appender.js';
import { createMetrics } from '../../../../../runtime/metrics.js';
import { accessTo, plainKafka } from '../../../../support/kafka.js';
import { theStack } from '../../../../support/stack.js';
import { freshTopic, recordsOf } from '../../../../support/topic-of-test.js';

describe('two processes that append under one transactional id while looking up takes seconds', () => {
  it('both append all of their calls in time, each once', async function () {
    this.timeout(180_000);
    const { brokers } = await theStack();
    const kafka = plainKafka(brokers);
    const topic = await freshTopic(kafka, 'slow-appends');
    const processOf = () =>
      createIdempotentAppender<string>({
        kafka: accessTo(brokers),
        name: `slow-${topic}`,
        writes: [topic],
        lookup: () => sleep(2_000, undefined),
        isRepeat: () => false,
        timeoutMs: 30_000,
        metrics: createMetrics(),
      });
    const processes = [processOf(), processOf()];
    const keys = processes.map((_, process) => [0, 1, 2].map((call) => `${process}/${call}`));
    await Promise.all(
      processes.map(async (appender, process) => {
        for (const key of keys[process] ?? []) {
          const records = [{ topic, key, value: Buffer.from(key) }];
          const result = await appender.append({ group: 'one', ids: [key], entry: key, records });
          assert.equal(result.kind, 'appended');
        }
      }),
    );
    const stored = (await recordsOf(kafka, topic)).map(({ key }) => String(key));
    assert.deepEqual(stored.sort(), keys.flat().sort());
    await Promise.all(processes.map((appender) => appender.stop()));
  });
});
