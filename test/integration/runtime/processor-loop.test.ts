import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Kafka } from 'kafkajs';
import { setTimeout as sleep } from 'node:timers/promises';
import { createHealth } from '../../../runtime/health.js';
import { openTransactionalProducer } from '../../../runtime/kafka/transactions/transactional-producer.js';
import { silentLogger } from '../../../runtime/logging.js';
import { createMetrics } from '../../../runtime/metrics.js';
import { startProcessor, type RunningProcessor } from '../../../runtime/processor-loop.js';
import { drop, emit, record, retryLater, type Processor } from '../../../runtime/processor.js';
import { deadLetterHeaders } from '../../../topics/dead-letters.js';
import { echoProcessor, jsonCodecs, numberedTopic, type Numbered } from '../../support/echo-processor.js';
import { accessTo, connectedProducer, plainKafka } from '../../support/kafka.js';
import { freshTopic, makeTopic } from '../../support/topic-of-test.js';
import { readCommitted } from '../../support/read-topic.js';
import { theStack } from '../../support/stack.js';

const partitions = 3;
const valuesOf = (messages: readonly { readonly value: Buffer | null }[]): number[] =>
  messages.map(({ value }) => (JSON.parse(String(value)) as Numbered).n).sort((a, b) => a - b);
const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

describe('processor loop', () => {
  let kafka: Kafka;
  let brokers: readonly string[];
  let running: RunningProcessor[] = [];

  before(async () => {
    brokers = (await theStack()).brokers;
    kafka = plainKafka(brokers);
  });

  afterEach(async () => {
    await Promise.all(running.map((loop) => loop.stop()));
    running = [];
  });

  async function topics(): Promise<[ReturnType<typeof numberedTopic>, ReturnType<typeof numberedTopic>]> {
    const from = await freshTopic(kafka, 'echoed', partitions);
    await makeTopic(kafka, `${from}.dead-letters`);
    return [
      numberedTopic(from, partitions),
      numberedTopic(await freshTopic(kafka, 'echoed', partitions), partitions),
    ];
  }

  async function fill(topic: string, values: readonly string[]): Promise<void> {
    const producer = await connectedProducer(kafka);
    await producer.send({ topic, messages: values.map((value, index) => ({ key: `k${index}`, value })) });
    await producer.disconnect();
  }

  async function run(processor: Processor<Numbered>, fatal = (error: Error) => assert.fail(error.message)) {
    const loop = await startProcessor(processor, {
      kafka: accessTo(brokers),
      codecs: jsonCodecs,
      logger: silentLogger,
      metrics: createMetrics(),
      health: createHealth(),
      sessionTimeoutMs: 3_000,
      groupId: `group-${processor.name}-${processor.from.name}`,
      fatal,
    });
    running.push(loop);
    return loop;
  }

  const numbers = (count: number): string[] => upTo(count).map((n) => JSON.stringify({ n }));

  it('passes each record on once, and continues where it was after a clean stop', async () => {
    const [from, to] = await topics();
    await fill(from.name, numbers(200));
    const first = await run(echoProcessor('echo', from, to));
    await readCommitted(kafka, to.name, 200);
    await first.stop();
    running = [];
    await fill(from.name, [JSON.stringify({ n: 200 })]);
    await run(echoProcessor('echo', from, to));
    assert.deepEqual(valuesOf(await readCommitted(kafka, to.name, 201)), upTo(201));
  });

  it('passes each record on once if a run is longer than a turn, poison included', async () => {
    const [from, to] = await topics();
    await fill(from.name, numbers(200).toSpliced(50, 0, 'poison'));
    await run({ ...echoProcessor('turns', from, to), turn: () => 7 });
    assert.deepEqual(valuesOf(await readCommitted(kafka, to.name, 200)), upTo(200));
    assert.equal((await readCommitted(kafka, `${from.name}.dead-letters`, 1)).length, 1);
  });

  it('keeps the records of a key in order', async () => {
    const [from, to] = await topics();
    const producer = await connectedProducer(kafka);
    await producer.send({
      topic: from.name,
      messages: numbers(300).map((value, index) => ({ key: `k${index % 5}`, value })),
    });
    await producer.disconnect();
    await run(echoProcessor('order', from, to));
    const last = new Map<string, number>();
    for (const { key, value } of await readCommitted(kafka, to.name, 300)) {
      const { n } = JSON.parse(String(value)) as Numbered;
      assert.ok(n > (last.get(String(key)) ?? -1));
      last.set(String(key), n);
    }
  });

  it('puts poison aside with its bytes and its reason, and goes on', async () => {
    const [from, to] = await topics();
    await fill(from.name, ['{"n":0}', 'not JSON', '{"n":1}', '{"n":2}']);
    await run(
      echoProcessor('poison', from, to, {
        step: (records) =>
          Promise.resolve(
            records.map(({ key, value }) =>
              value.n === 1
                ? { kind: 'dead-letter', code: 'TOO_ODD', reason: 'one is odd' }
                : emit(record(to, key, value)),
            ),
          ),
      }),
    );
    assert.deepEqual(valuesOf(await readCommitted(kafka, to.name, 2)), [0, 2]);
    const letters = await readCommitted(kafka, `${from.name}.dead-letters`, 2);
    const codes = letters.map(({ headers }) => String(headers?.[deadLetterHeaders.code])).sort();
    assert.deepEqual(codes, ['RECORD_UNDECODABLE', 'TOO_ODD']);
    assert.ok(letters.some(({ value }) => String(value) === 'not JSON'));
  });

  it('waits out an outage without skipping, and drops only what it is told to drop', async () => {
    const [from, to] = await topics();
    await fill(from.name, numbers(30));
    let awayFor = 3;
    await run(
      echoProcessor('outage', from, to, {
        step: (records) => {
          if (awayFor > 0) {
            awayFor -= 1;
            return Promise.resolve(records.map(() => retryLater(new Error('away'))));
          }
          return Promise.resolve(
            records.map(({ key, value }) =>
              value.n % 10 === 0 ? drop('round') : emit(record(to, key, value)),
            ),
          );
        },
      }),
    );
    assert.deepEqual(
      valuesOf(await readCommitted(kafka, to.name, 27)),
      upTo(30).filter((n) => n % 10 !== 0),
    );
  });

  it('ends with a fatal error on an unknown exception, with nothing committed', async () => {
    const [from, to] = await topics();
    await fill(from.name, numbers(1));
    const fatal = new Promise<Error>((resolve) => {
      void run(
        echoProcessor('bug', from, to, { step: () => Promise.reject(new Error('a bug')) }),
        resolve as never,
      );
    });
    assert.match((await fatal).message, /a bug/);
    assert.equal((await readCommitted(kafka, to.name, 0, { quietMs: 500 })).length, 0);
  });

  it('gets past a control record alone in its fetch, before a record as large as a fetch', async () => {
    const [from, to] = await topics();
    const padding = 'x'.repeat(1_200_000);
    const transactional = await connectedProducer(kafka, `large-${from.name}`);
    const transaction = await transactional.transaction();
    await transaction.send({
      topic: from.name,
      messages: [{ key: '1', value: JSON.stringify({ n: 1, padding }), partition: 0 }],
    });
    await transaction.commit();
    await transactional.disconnect();
    const producer = await connectedProducer(kafka);
    for (const n of [2, 3])
      await producer.send({
        topic: from.name,
        messages: [{ key: '1', value: JSON.stringify({ n, padding }), partition: 0 }],
      });
    await producer.disconnect();
    await run(echoProcessor('large', from, to));
    const seen = await readCommitted(kafka, to.name, 3);
    assert.deepEqual(
      seen.map(({ value }) => (JSON.parse(String(value)) as Numbered).n),
      [1, 2, 3],
    );
  });

  it('announces slow records before their outcome', async () => {
    const [from, to] = await topics();
    await fill(from.name, ['{"n":1}']);
    await run(
      echoProcessor('slow', from, to, {
        announce: { afterMs: 50, records: ({ key }) => [record(to, key, { n: -1 })] },
        step: async (records) => {
          await sleep(400);
          return records.map(({ key, value }) => emit(record(to, key, value)));
        },
      }),
    );
    const seen = await readCommitted(kafka, to.name, 2);
    assert.deepEqual(
      seen.map(({ value }) => (JSON.parse(String(value)) as Numbered).n),
      [-1, 1],
    );
  });

  it('shares the partitions with another process, and loses and doubles nothing in the hand-over', async () => {
    const [from, to] = await topics();
    const count = 3_000;
    await run(echoProcessor('share', from, to));
    const producer = await connectedProducer(kafka);
    for (let n = 0; n < count; n += 100) {
      const messages = numbers(count)
        .slice(n, n + 100)
        .map((value, index) => ({ key: `k${n + index}`, value }));
      await producer.send({ topic: from.name, messages });
      if (n === 500) await run(echoProcessor('share', from, to));
      if (n === 1_500) await running.shift()?.stop();
    }
    await producer.disconnect();
    assert.deepEqual(valuesOf(await readCommitted(kafka, to.name, count)), upTo(count));
  });

  it('fences a predecessor: once a partition is acquired, the predecessor can commit nothing', async () => {
    const to = await freshTopic(kafka, 'echoed');
    for (let round = 0; round < 10; round++) {
      const id = `zombie-${randomUUID()}`;
      const zombie = await openTransactionalProducer(accessTo(brokers), id);
      await zombie.commit([{ topic: to, key: 'k', value: Buffer.from('{"n":1}') }]);
      const successor = await openTransactionalProducer(accessTo(brokers), id);
      await assert.rejects(zombie.commit([{ topic: to, key: 'k', value: Buffer.from('{"n":666}') }]), {
        code: 'PRODUCER_FENCED',
      });
      await successor.commit([{ topic: to, key: 'k', value: Buffer.from('{"n":2}') }]);
      await Promise.all([zombie.discard(), successor.discard()]);
    }
    const seen = valuesOf(await readCommitted(kafka, to, 20));
    assert.deepEqual(seen, [...Array<number>(10).fill(1), ...Array<number>(10).fill(2)]);
  });

  it('reads the right offset right after an acquisition, although kafkajs does not ask for stable ones', async () => {
    const [from, to] = await topics();
    await fill(from.name, numbers(400));
    // Each process does little and is replaced; a stale offset would repeat its last run.
    for (let generation = 0; generation < 6; generation++) {
      const loop = await run(echoProcessor('stale', from, to, { batchSize: 5 }));
      await sleep(400);
      await loop.stop();
      running = [];
    }
    await run(echoProcessor('stale', from, to));
    assert.deepEqual(valuesOf(await readCommitted(kafka, to.name, 400)), upTo(400));
  });
});
