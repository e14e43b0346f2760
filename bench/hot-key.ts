import { join } from 'node:path';
import { connectClickHouse } from '../runtime/clickhouse/client.js';
import type { CustomEvent } from '../schemas/generated/custom-event.js';
import { eventsSink } from '../sinks/events/index.js';
import { applyTopics, migrateTables } from '../test/support/applied.js';
import { role, stackEnvironment } from '../test/support/roles.js';
import { stopTheStack, theStack } from '../test/support/stack.js';
import { cpuSeconds } from './process-figures.js';
import { append, atRows, cpuWithMerges } from './sink.js';

const events = 600_000;
const messagesAtOnce = 1_000;

const eventOf = (index: number): CustomEvent => {
  const at = Date.now() * 1_000;
  return {
    ...{ workspace: 'bench', key_id: 'bench', metric: 'hot', cluster: null, type: 'gauge', source: 'edge' },
    ...{ value: index, occurred_at: at, received_at: at },
  };
};

/**
 * What one key costs: all events of one metric are one partition, which one sink stores, one insert at a time. Appended
 * first, then stored out of the full partition. Run `node dist/bench/hot-key.js`. Linux only: it reads /proc.
 */
async function measureHotKey(): Promise<Readonly<Record<string, number>>> {
  const stack = await theStack();
  await Promise.all([applyTopics(stack), migrateTables(stack)]);
  const { url, writer } = stack.clickhouse;
  const clickhouse = connectClickHouse({ url, ...writer });
  const kafka = (): number => cpuSeconds(stack.kafka.pid ?? 0) * 1e6;
  const beforeAppend = kafka();
  await append(stack, eventsSink, events, eventOf, { messages: messagesAtOnce, everyMs: 0 }, () => 'hot');
  const appended = kafka();
  const sinks = await role({
    ...{ command: 'sinks', portVariable: 'SINKS_PORT', environment: stackEnvironment(stack) },
    logFile: join(stack.folder, 'hot-key-sinks.log'),
  });
  await sinks.start();
  const figures = async (rows: number) => {
    const found = await atRows(clickhouse, eventsSink.table, rows, sinks);
    return { ...found, kafka: kafka() };
  };
  const from = await figures(1);
  const to = await figures(events);
  const rows = to.rows - from.rows;
  const server = (await cpuWithMerges(clickhouse)) - from.server;
  await sinks.stop();
  await clickhouse.close();
  return {
    'events/s out of one partition': (rows / (to.at - from.at)) * 1_000,
    'sink, µs of a processor an event': (to.sink - from.sink) / rows,
    'ClickHouse, µs an event': server / rows,
    'Kafka, µs an event that is appended': (appended - beforeAppend) / events,
    'Kafka, µs an event that a sink reads': (to.kafka - from.kafka) / rows,
  };
}

try {
  const found = await measureHotKey();
  for (const [name, figure] of Object.entries(found))
    console.log(`${figure.toFixed(2).padStart(12)} ${name}`);
} finally {
  await stopTheStack();
}
