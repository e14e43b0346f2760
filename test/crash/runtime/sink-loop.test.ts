import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Kafka } from 'kafkajs';
import { audit } from '../../../runtime/clickhouse/audit.js';
import { connectedProducer, plainKafka } from '../../support/kafka.js';
import { spawnSink, type SinkProcess } from '../../support/sink-process.js';
import { sampleBytes } from '../../support/samples.js';
import { atScale } from '../../support/scale.js';
import { newSamples, tallyOf, type Tally } from '../../support/sink-under-test.js';
import { theStack, type TestStack } from '../../support/stack.js';
import { until } from '../../support/until.js';

describe('sinks that are killed', () => {
  let stack: TestStack;
  let kafka: Kafka;

  before(async () => {
    stack = await theStack();
    kafka = plainKafka(stack.brokers);
  });

  it('leave every record in the table once, even if killed right before or after an insert', async () => {
    const rowsPerRecord = 3;
    const { settings, clickhouse, byMonth } = await newSamples(stack, kafka, {
      batchRows: 97,
      partitions: 2,
      rowsPerRecord,
    });
    const total = atScale(4_000, 12_000);
    const rows = total * rowsPerRecord;
    const producer = await connectedProducer(kafka);
    const messages = Array.from({ length: total }, (_, id) => ({
      key: String(id),
      value: sampleBytes({ id }),
    }));
    await producer.send({ topic: settings.topic, messages });
    await producer.disconnect();
    for (let round = 0; round < atScale(3, 10); round++) {
      const when = round % 3 === 0 ? 'before' : 'after';
      await spawnSink({ ...settings, dies: { when, insert: 1 + (round % 4) * 3 } }).exited;
    }
    const last = spawnSink(settings);
    const tally = () => tallyOf(clickhouse, settings, byMonth);
    await until('the table and its view have all rows', async () => isStored(await tally(), total, rows));
    await sleep(500);
    assert.deepEqual(await tally(), { rows, ids: total, inView: rows, duplicates: 0, gaps: 0 });
    assert.deepEqual(await audit(clickhouse, [settings]), { duplicates: 0, gaps: 0, expired: 0 });
    await last.stop();
  });

  it('leave every record once in the table and its views, even if ClickHouse and the broker are killed too', async () => {
    const { settings, clickhouse, byMonth } = await newSamples(stack, kafka, { batchRows: 97 });
    const producer = await connectedProducer(kafka);
    const total = atScale(4_000, 40_000);
    let sent = 0;
    const sending = (async () => {
      while (sent < total) {
        const messages = Array.from({ length: 100 }, (_, index) => {
          const id = sent + index;
          return { key: String(id), value: sampleBytes({ id }) };
        });
        await producer.send({ topic: settings.topic, messages });
        sent += messages.length;
        await sleep(60);
      }
    })();

    const sinks: SinkProcess[] = [spawnSink(settings), spawnSink(settings)];
    for (let kill = 0; kill < atScale(3, 14); kill++) {
      await sleep(800 + Math.random() * 1_500);
      const index = kill % sinks.length;
      await sinks[index]?.kill9();
      if (kill === 0) await stack.clickhouseServer.kill9().then(() => stack.clickhouseServer.start());
      if (kill === 1) await stack.kafka.kill9().then(() => stack.kafka.start());
      if (kill === 2) {
        await stack.clickhouseServer.stop();
        await sleep(3_000);
        await stack.clickhouseServer.start();
      }
      sinks[index] = spawnSink(settings);
    }
    await sending;
    await producer.disconnect();

    const tally = () => tallyOf(clickhouse, settings, byMonth);
    await until('the table and its view have all rows', async () => isStored(await tally(), total, total));
    await sleep(1_000);
    assert.deepEqual(await tally(), { rows: total, ids: total, inView: total, duplicates: 0, gaps: 0 });
    await Promise.all(sinks.map((sink) => sink.stop()));
  });
});

/** A view gets its rows slightly later than its table; on a busy machine, seconds later. */
const isStored = ({ ids, inView }: Tally, records: number, rows: number): boolean =>
  ids >= records && inView >= rows;
