import assert from 'node:assert/strict';
import type { Kafka } from 'kafkajs';
import { readConfig } from '../../../../../runtime/config.js';
import { appendConfig } from '../../../../../runtime/kafka/client/config.js';
import type { Appender } from '../../../../../runtime/kafka/produce/appender.js';
import { openBatchingAppender } from '../../../../../runtime/kafka/produce/batching-appender.js';
import { partitionOf } from '../../../../../runtime/kafka/protocol/produce-request.js';
import { silentLogger } from '../../../../../runtime/logging.js';
import { createMetrics } from '../../../../../runtime/metrics.js';
import { plainKafka } from '../../../../support/kafka.js';
import { theStack } from '../../../../support/stack.js';
import { freshTopic, recordsOf } from '../../../../support/topic-of-test.js';
import { plaintext } from '../../../../../runtime/kafka/client/kafka-access.js';

describe('batching appender', () => {
  let brokers: string[];
  let kafka: Kafka;
  let appender: Appender;
  const metrics = createMetrics();

  const open = (settings: Readonly<Record<string, string>> = {}, of = metrics): Promise<Appender> =>
    openBatchingAppender({
      brokers,
      security: plaintext,
      clientId: 'test',
      logger: silentLogger,
      metrics: of,
      config: readConfig(appendConfig, { APPEND_TIMEOUT_MS: '240000', ...settings }),
    });
  const total = async (name: string): Promise<number> =>
    (await metrics.registry.getSingleMetric(name)?.get())?.values[0]?.value ?? 0;

  before(async () => {
    ({ brokers } = await theStack());
    kafka = plainKafka(brokers);
    appender = await open();
  });
  after(() => appender.stop());

  it('lets many callers share few requests', async () => {
    const topic = await freshTopic(kafka, 'shared', 3);
    const [batches, records] = [
      await total('telltale_append_batches_total'),
      await total('telltale_append_records_total'),
    ];
    const keys = Array.from({ length: 500 }, (_, index) => `key-${index}`);
    await Promise.all(keys.map((key) => appender.append([{ topic, key, value: Buffer.from(key) }])));

    const stored = await recordsOf(kafka, topic);
    assert.deepEqual(stored.map(({ value }) => String(value)).sort(), keys.sort());
    assert.equal((await total('telltale_append_records_total')) - records, 500);
    assert.ok((await total('telltale_append_batches_total')) - batches < 20);
    assert.equal(appender.pressure.bytesInFlight, 0);
  });

  it('counts bytes held by other work, and starts no work that exceeds its room', async () => {
    const small = await open({ APPEND_SOFT_BYTES: '1000', APPEND_HARD_BYTES: '2000' }, createMetrics());
    let finish = (): void => undefined;
    const held = small.holding(1_500, () => new Promise<void>((resolve) => (finish = resolve)));
    assert.equal(small.pressure.bytesInFlight, 1_500);
    assert.ok(small.pressure.soft && !small.pressure.hard);
    const begun: string[] = [];
    await assert.rejects(
      small.holding(501, () => Promise.resolve(begun.push('too much'))),
      { code: 'BUFFER_FULL' },
    );
    await assert.rejects(small.append([{ topic: 'any', key: null, value: Buffer.alloc(501) }]), {
      code: 'BUFFER_FULL',
    });
    finish();
    await held;
    await assert.rejects(
      small.holding(2_000, () => Promise.reject(new Error('it fails'))),
      /it fails/,
    );
    assert.equal(small.pressure.bytesInFlight, 0);
    assert.deepEqual(begun, []);
    await small.stop();
  });

  it('puts a key into the same partition as the Java client, with its headers', async () => {
    const topic = await freshTopic(kafka, 'placed', 7);
    await appender.append([{ topic, key: 'a key', value: null, headers: { why: 'gone' } }]);
    const [record] = await recordsOf(kafka, topic);
    assert.ok(record !== undefined);
    assert.equal(record.partition, partitionOf('a key', 7));
    assert.equal(record.value, null);
    assert.equal(String(record.headers?.['why']), 'gone');
  });

  it('sends a stage only once the one before is durable', async () => {
    const topic = await freshTopic(kafka, 'staged');
    const keys = Array.from({ length: 300 }, (_, index) => `key-${index}`);
    const stage = (key: string, value: string) => [{ topic, key, value: Buffer.from(value) }];
    await Promise.all(keys.map((key) => appender.append(stage(key, 'status'), stage(key, 'request'))));

    const seen = new Map<string, string[]>();
    for (const { key, value } of await recordsOf(kafka, topic)) {
      seen.set(String(key), [...(seen.get(String(key)) ?? []), String(value)]);
    }
    assert.equal(seen.size, 300);
    for (const order of seen.values()) assert.deepEqual(order, ['status', 'request']);
  });

  it('accepts records of megabytes next to small ones, and names one that is too large', async () => {
    const topic = await freshTopic(kafka, 'large');
    const record = (size: number) => [{ topic, key: 'k', value: Buffer.alloc(size, 7) }];
    const sizes = [10, 700_000, 4 * 1024 * 1024 - 2_000, 500_000, 20];
    await Promise.all(sizes.map((size) => appender.append(record(size))));
    const stored = (await recordsOf(kafka, topic)).map(({ value }) => value?.length ?? 0);
    assert.deepEqual(
      stored.sort((a, b) => a - b),
      sizes.sort((a, b) => a - b),
    );
    await assert.rejects(appender.append(record(16 * 1024 * 1024)), {
      code: 'APPEND_FAILED',
      message: /a record has 16777\d+ bytes; the limit is 16760832/,
    });
  });

  it('turns callers away when its buffer is full, and takes them again afterwards', async () => {
    const small = await open({ APPEND_SOFT_BYTES: '1000', APPEND_HARD_BYTES: '5000' }, createMetrics());
    const topic = await freshTopic(kafka, 'bounded');
    const record = [{ topic, key: 'k', value: Buffer.alloc(2_000) }];
    const first = small.append(record);
    const second = small.append(record);
    assert.equal(small.pressure.soft, true);
    await assert.rejects(small.append(record), { code: 'BUFFER_FULL' });
    await Promise.all([first, second]);
    assert.equal(small.pressure.soft, false);
    await small.append(record);
    await small.stop();
    assert.equal((await recordsOf(kafka, topic)).length, 3);
  });

  it('sends everything that waits before it stops, and accepts nothing afterwards', async () => {
    const stopping = await open({ APPEND_LINGER_MS: '500' }, createMetrics());
    const topic = await freshTopic(kafka, 'stopped');
    const append = (key: string) =>
      stopping.append([{ topic, key, value: null }], [{ topic, key, value: null }]);
    const waiting = [append('a'), append('b')];
    await stopping.stop();
    await Promise.all(waiting);
    assert.equal((await recordsOf(kafka, topic)).length, 4);
    await assert.rejects(append('c'), { code: 'APPEND_FAILED' });
  });

  it('says so if no broker answers at the start', async () => {
    const nowhere = openBatchingAppender({
      brokers: ['127.0.0.1:1'],
      security: plaintext,
      clientId: 'test',
      logger: silentLogger,
      metrics: createMetrics(),
      config: readConfig(appendConfig, {}),
    });
    await assert.rejects(nowhere, { code: 'KAFKA_UNREACHABLE' });
  });
});
