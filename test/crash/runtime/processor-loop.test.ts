import assert from 'node:assert/strict';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Numbered } from '../../support/echo-processor.js';
import { connectedProducer, plainKafka } from '../../support/kafka.js';
import { freshTopic, makeTopic } from '../../support/topic-of-test.js';
import { readCommitted } from '../../support/read-topic.js';
import { atScale } from '../../support/scale.js';
import { theStack } from '../../support/stack.js';
import { until } from '../../support/until.js';

const echo = fileURLToPath(new URL('../../support/echo-process.js', import.meta.url));
const partitions = 3;
const kills = atScale(3, 14);

describe('processor loop under kill -9', () => {
  const ended: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const end of ended.splice(0)) await end();
  });

  it('passes each record on exactly once while it and the broker are killed', async () => {
    const stack = await theStack();
    const kafka = plainKafka(stack.brokers);
    const from = await freshTopic(kafka, 'echoed', partitions);
    await makeTopic(kafka, `${from}.dead-letters`);
    const to = await freshTopic(kafka, 'echoed', partitions);
    const start = (): ChildProcess =>
      fork(echo, [stack.brokers[0] ?? '', from, to, String(partitions)], {
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      });
    const kill = async (child: ChildProcess): Promise<void> => {
      // A process that could not start because the broker was down has exited by itself.
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    };

    const admin = kafka.admin();
    await admin.connect();
    let known = 0;
    const given = async (): Promise<number> => {
      // Right after its start, a broker leads no partition for a moment.
      const offsets = await admin.fetchTopicOffsets(to).catch(() => undefined);
      if (offsets !== undefined) known = offsets.reduce((sum, { high }) => sum + Number(high), 0);
      return known;
    };

    let child = start();
    ended.push(() => kill(child));
    let count = 0;
    const load = { over: false };
    ended.push(() => {
      load.over = true;
      return Promise.resolve();
    });
    const producing = (async () => {
      const producer = await connectedProducer(kafka);
      for (; !load.over; count += 50) {
        const messages = Array.from({ length: 50 }, (_, i) => ({
          key: `k${count + i}`,
          value: JSON.stringify({ n: count + i }),
        }));
        await producer.send({ topic: from, messages });
        await sleep(atScale(100, 40));
      }
      await producer.disconnect();
    })();
    for (let killed = 0; killed < kills; killed++) {
      const before = await given();
      await until('records are given on', async () => (await given()) > before);
      if (killed === 1) {
        await stack.kafka.kill9();
        await stack.kafka.start();
      }
      await kill(child);
      child = start();
    }
    load.over = true;
    await producing;
    await admin.disconnect();

    const seen = await readCommitted(kafka, to, count, { quietMs: 4_000, deadlineMs: 240_000 });
    await kill(child);
    const values = seen.map(({ value }) => (JSON.parse(String(value)) as Numbered).n);
    assert.equal(new Set(values).size, count, 'lost');
    assert.equal(values.length, count, 'doubled');
  });
});
