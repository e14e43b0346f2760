import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { openCodec } from '../../../../runtime/registry/codec.js';
import { connectRegistry } from '../../../../runtime/registry/registry.js';
import { sinkGroup } from '../../../../runtime/group-ids.js';
import { silentLogger } from '../../../../runtime/logging.js';
import { doTableReplay } from '../../../../runtime/replays/table/do-table-replay.js';
import { tableReplay } from '../../../../runtime/replays/table/table-replay-request.js';
import type { Replay } from '../../../../schemas/generated/replay.js';
import { replays } from '../../../../topics/replays.js';
import { applyTopics, migrateTables } from '../../../support/applied.js';
import { accessTo, connectedProducer, plainKafka } from '../../../support/kafka.js';
import { sampleBytes, sampleSchemas, sampleSink } from '../../../support/samples.js';
import { newSamples, startSampleSink, tallyOf } from '../../../support/sink-under-test.js';
import { theStack } from '../../../support/stack.js';
import { until } from '../../../support/until.js';

/** A replay reads 4 MiB at a time and prefetches the next chunk: the log has several chunks. */
const records = 60;
const padding = 'x'.repeat(250_000);

describe('a replay of a table that retention overtakes', () => {
  it('copies what expires while the topic is read, so that no row is lost', async () => {
    const stack = await theStack();
    await Promise.all([applyTopics(stack), migrateTables(stack)]);
    const kafka = plainKafka(stack.brokers);
    const { settings, clickhouse, byMonth } = await newSamples(stack, kafka, { partitions: 1 });
    const producer = await connectedProducer(kafka);
    for (let id = 0; id < records; id++)
      await producer.send({
        topic: settings.topic,
        messages: [{ key: String(id), value: sampleBytes({ id, padding }) }],
      });
    await producer.disconnect();
    const running = await startSampleSink(settings, (error) => {
      throw error;
    });
    const whole = { rows: records, ids: records, inView: records, duplicates: 0, gaps: 0 };
    await until('all is stored', async () => (await tallyOf(clickhouse, settings, byMonth)).rows === records);
    await running.stop();

    const sink = sampleSink(settings);
    const request = { sink, from: null, to: null };
    let state = tableReplay({ request, rate: null, worker: 'command' }, undefined) as Replay;
    const expire = async (): Promise<void> => {
      const admin = kafka.admin();
      await admin.connect();
      await admin.fetchTopicOffsets(settings.topic); // deleteTopicRecords needs the topic's metadata
      await admin.deleteTopicRecords({ topic: settings.topic, partitions: [{ partition: 0, offset: '45' }] });
      await admin.disconnect();
    };
    let read = 0;
    await doTableReplay({
      ...{
        access: accessTo(stack.brokers),
        clickhouse,
        sink,
        groupId: sinkGroup(sink),
        logger: silentLogger,
      },
      codec: await openCodec(replays, connectRegistry(stack.registryConfig)),
      schemas: sampleSchemas(settings.topic),
      taken: {
        owner: randomUUID().slice(0, 8),
        get state() {
          return state;
        },
        commit(_, next) {
          state = { ...state, ...next };
          return Promise.resolve();
        },
      },
      async did() {
        if (read++ === 0) await expire();
      },
      rate: () => null,
      changed: () => undefined,
    });
    assert.deepEqual(await tallyOf(clickhouse, settings, byMonth), whole);
    await clickhouse.close();
  });
});
