import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { readConfig } from '../../../../../runtime/config.js';
import { appendConfig } from '../../../../../runtime/kafka/client/config.js';
import { openBatchingAppender } from '../../../../../runtime/kafka/produce/batching-appender.js';
import { silentLogger } from '../../../../../runtime/logging.js';
import { createMetrics } from '../../../../../runtime/metrics.js';
import { plainKafka } from '../../../../support/kafka.js';
import { endsWithin, secondLongest, turnsOf } from '../../../../support/figures.js';
import { atScale } from '../../../../support/scale.js';
import { theStack, type TestStack } from '../../../../support/stack.js';
import { freshTopic, recordsOf } from '../../../../support/topic-of-test.js';
import { until } from '../../../../support/until.js';
import { plaintext } from '../../../../../runtime/kafka/client/kafka-access.js';

describe('appends while the broker is killed', () => {
  let stack: TestStack;

  before(async () => {
    stack = await theStack();
  });

  it('loses and duplicates no confirmed record, reports the outage within two seconds, and recovers by itself', async () => {
    const { brokers } = stack;
    const kafka = plainKafka(brokers);
    const topic = await freshTopic(kafka, 'killed', 3);
    const appender = await openBatchingAppender({
      brokers,
      security: plaintext,
      clientId: 'test',
      logger: silentLogger,
      metrics: createMetrics(),
      config: readConfig(appendConfig, {}),
    });
    const confirmed = new Set<string>();
    const failures = new Map<string, number>();
    let late = 0;
    let running = true;
    const caller = async (name: string): Promise<void> => {
      for (let count = 0; running; count++) {
        const key = `${name}-${count}`;
        const record = { topic, key, value: Buffer.alloc(300, key) };
        const appended = appender.append([record]).then(
          () => void confirmed.add(key),
          (error: unknown) => {
            const { code } = error as { code: string };
            failures.set(code, (failures.get(code) ?? 0) + 1);
          },
        );
        if (!(await endsWithin(3_000, appended))) late += 1;
        await appended;
        await sleep(appender.pressure.hard ? 50 : 1);
      }
    };
    const callers = Array.from({ length: 20 }, (_, index) => caller(`c${index}`));

    const unnoticed: number[] = [];
    for (let kills = 0; kills < atScale(2, 6); kills++) {
      const before = confirmed.size;
      await until('appends are confirmed', () => confirmed.size > before + 500);
      await stack.kafka.kill9();
      unnoticed.push(await turnsOf(until('it is known that Kafka is away', () => appender.pressure.hard)));
      await sleep(2_500);
      await stack.kafka.start();
      await until('it is known that Kafka is back', () => !appender.pressure.hard);
    }
    const before = confirmed.size;
    await until('appends are confirmed again', () => confirmed.size > before + 500);
    running = false;
    await Promise.all(callers);
    await appender.stop();

    const stored = new Map<string, number>();
    for (const { key } of await recordsOf(kafka, topic)) {
      stored.set(String(key), (stored.get(String(key)) ?? 0) + 1);
    }
    assert.deepEqual(
      [...confirmed].filter((key) => stored.get(key) !== 1),
      [],
    );
    assert.deepEqual(
      [...stored].filter(([, count]) => count !== 1),
      [],
    );
    assert.deepEqual(
      [...failures.keys()].filter((code) => !/^APPEND_(FAILED|TIMED_OUT)$/.test(code)),
      [],
    );
    assert.ok(secondLongest(unnoticed) < 1_000, `${unnoticed.join(', ')} ms until it was known`);
    assert.equal(late, 0, 'appends took longer than three seconds');
  });
});
