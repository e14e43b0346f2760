import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { edgeConfig } from '../../http-edge/config.js';
import { startEdge } from '../../http-edge/edge.js';
import type { IdempotentAppender } from '../../runtime/kafka/transactions/idempotent-appender.js';
import type { IngestBatch } from '../../schemas/generated/ingest-batch.js';
import { applyTopics, migrateTables } from '../support/applied.js';
import { jsonCodec } from '../support/json-codec.js';
import { createEventLog } from '../../http-edge/events/event-log.js';
import { connectClickHouse, type ClickHouse } from '../../runtime/clickhouse/client.js';
import { readConfig } from '../../runtime/config.js';
import { appendConfig } from '../../runtime/kafka/client/config.js';
import { createHealth } from '../../runtime/health.js';
import { openBatchingAppender } from '../../runtime/kafka/produce/batching-appender.js';
import { silentLogger } from '../../runtime/logging.js';
import { createMetrics } from '../../runtime/metrics.js';
import { openCodec } from '../../runtime/registry/codec.js';
import { connectRegistry } from '../../runtime/registry/registry.js';
import { openWriterSchemas } from '../../runtime/registry/writer-schemas.js';
import { sinkConfig, startSink } from '../../runtime/sink-loop.js';
import { eventsSink } from '../../sinks/events/index.js';
import { ingestEvents } from '../../topics/ingest.js';
import { heapGrowth } from '../support/heap-growth.js';
import { createInMemoryPorts, keyRecord } from '../support/in-memory-ports.js';
import { accessTo } from '../support/kafka.js';
import { theStack } from '../support/stack.js';
import { until } from '../support/until.js';
import { plaintext } from '../../runtime/kafka/client/kafka-access.js';

const token = 'tt_events_secret';
/** Long names, so that a process that kept them in memory would visibly grow. */
const nameLength = 240;

/** This test sends nothing under an Idempotency-Key. */
const nobody: IdempotentAppender<IngestBatch> = {
  append: () => Promise.reject(new Error('nobody asks')),
  stop: () => Promise.resolve(),
};

/** The edge and the events sink in this process, so that the test can measure the heap of both. */
async function startEventPath(workspace: string) {
  const stack = await theStack();
  await Promise.all([applyTopics(stack), migrateTables(stack)]);
  const logger = silentLogger;
  const metrics = createMetrics();
  const registry = connectRegistry(stack.registryConfig);
  const codec = await openCodec(ingestEvents, registry);
  const appender = await openBatchingAppender({
    ...{ brokers: stack.brokers, security: plaintext, clientId: 'test', logger, metrics },
    config: readConfig(appendConfig, { APPEND_TIMEOUT_MS: '60000' }),
  });
  const ports = createInMemoryPorts();
  const eventLog = createEventLog({ appender, codec, once: nobody, batchCodec: jsonCodec() });
  ports.keys.set('events', keyRecord('events', 'secret', ['events'], { workspace }));
  const edge = await startEdge({
    ports: { ...ports, eventLog },
    config: edgeConfig.parse({ EDGE_PORT: 0 }),
    ...{ logger, metrics, health: createHealth() },
  });
  const clickhouse = connectClickHouse({ url: stack.clickhouse.url, ...stack.clickhouse.writer });
  const sink = await startSink(eventsSink, {
    kafka: accessTo(stack.brokers),
    schemas: await openWriterSchemas(ingestEvents, registry),
    ...{ clickhouse, deadLetters: appender, logger, metrics },
    config: readConfig(sinkConfig, {}),
    condition: createHealth().condition('group'),
    sessionTimeoutMs: 3_000,
    fatal: (error) => assert.fail(error.message),
  });
  return {
    url: edge.url,
    clickhouse,
    async stop() {
      await edge.stop();
      await sink.stop();
      await appender.stop();
      await clickhouse.close();
    },
  };
}

describe('100,000 names of metrics', () => {
  const workspace = `many-${randomUUID().slice(0, 8)}`;
  let path: Awaited<ReturnType<typeof startEventPath>>;

  before(async () => {
    path = await startEventPath(workspace);
  });
  after(() => path.stop());

  let sent = 0;
  /** Sends this many new names, a thousand per request. */
  const send = async (names: number): Promise<void> => {
    for (const end = sent + names; sent < end; sent += 1_000) {
      const events = Array.from({ length: 1_000 }, (_, index) => ({
        metric: `${sent + index}`.padEnd(nameLength, 'x'),
        type: 'increment',
        value: 1,
      }));
      const answer = await fetch(path.url, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(events),
      });
      assert.equal(answer.status, 200, await answer.text());
    }
  };
  const namesStored = async (clickhouse: ClickHouse): Promise<number> => {
    const [row] = await clickhouse.query<{ names: number }>(
      'SELECT uniqExact(metric) AS names FROM telltale.events WHERE workspace = {workspace:String}',
      { workspace },
    );
    return Number(row?.names);
  };
  const untilStored = async (): Promise<void> => {
    await until('the names are stored', async () => (await namesStored(path.clickhouse)) >= sent);
  };
  const seriesShown = async (): Promise<number> =>
    (await (await fetch(`${path.url}/metrics`)).text()).split('\n').length;

  it('cost no process anything but their rows', async () => {
    // The first request for metrics adds series of its own.
    await seriesShown();
    await send(20_000);
    await untilStored();
    const seriesBefore = await seriesShown();
    const grown = await heapGrowth(15, async () => {
      await send(100_000);
      await untilStored();
    });
    // The names alone take 23 MiB.
    assert.ok(grown < 15, `the heap grew by ${grown} MiB`);
    // Lag gauges per partition may have been added meanwhile; one series per name would be 100,000.
    assert.ok((await seriesShown()) < seriesBefore + 100);
  });

  it('are in the table and its rollup once each', async () => {
    let counts = { rows: 0, sum: 0 };
    await until('both have them all', async () => {
      const [row] = await path.clickhouse.query<Record<string, string | number>>(
        `SELECT count() AS rows, (SELECT sum(sum) FROM telltale.events_by_minute WHERE workspace = {workspace:String}) AS sum
         FROM telltale.events WHERE workspace = {workspace:String}`,
        { workspace },
      );
      counts = { rows: Number(row?.['rows']), sum: Number(row?.['sum']) };
      return counts.rows >= sent && counts.sum >= sent;
    });
    assert.deepEqual(counts, { rows: sent, sum: sent });
  });
});
