import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { connectClickHouse, type ClickHouse } from '../runtime/clickhouse/client.js';
import type { Sink } from '../runtime/sink.js';
import type { CustomEvent } from '../schemas/generated/custom-event.js';
import type { ScoringResult } from '../schemas/generated/scoring-result.js';
import { eventsSink } from '../sinks/events/index.js';
import { scoringResultsSink } from '../sinks/scoring-results/index.js';
import { spansSink } from '../sinks/spans/index.js';
import { applyTopics, migrateTables } from '../test/support/applied.js';
import { role, stackEnvironment } from '../test/support/roles.js';
import { stopTheStack, theStack, type TestStack } from '../test/support/stack.js';
import { cpuSeconds } from './process-figures.js';
import { append, atRows, cpuWithMerges } from './sink.js';
import { resultOf, spansOf } from './sink-records.js';

interface Load {
  readonly name: string;
  readonly sink: Sink;
  readonly records: number;
  readonly rowsPerRecord: number;
  readonly valueOf: (index: number) => unknown;
  readonly keyOf?: () => string;
}

const messagesAtOnce = 1_000;

const eventOf = (): CustomEvent => {
  const at = Date.now() * 1_000;
  return {
    ...{ workspace: 'bench', key_id: 'bench', metric: 'hot', cluster: null, type: 'gauge', source: 'edge' },
    ...{ value: Math.random() * 1_000, occurred_at: at - Math.round(Math.random() * 1e6), received_at: at },
  };
};

const words = readFileSync('processors/score-metrics/lexicons/easy-words.txt', 'utf8').split('\n');

/** Random words compress less well than sentences. */
const scoredOf = (index: number): ScoringResult => ({
  ...resultOf(index),
  prompt: Array.from({ length: 60 }, () => words[Math.floor(Math.random() * words.length)]).join(' '),
});

const loads: readonly Load[] = [
  {
    name: 'events of one metric',
    sink: eventsSink,
    records: 600_000,
    rowsPerRecord: 1,
    valueOf: eventOf,
    keyOf: () => 'hot',
  },
  { name: 'spans, five a record', sink: spansSink, records: 60_000, rowsPerRecord: 5, valueOf: spansOf },
  {
    name: 'scoring results',
    sink: scoringResultsSink,
    records: 120_000,
    rowsPerRecord: 1,
    valueOf: scoredOf,
  },
];

/**
 * What a row costs Kafka, the sink and ClickHouse, in processor time and on disk, including views and their
 * tables. All rows are appended first, then stored from the full topic. Events have one key, so that one
 * partition and one sink have them all. Run `node dist/bench/stored.js`, with `zstd` or another
 * `compression.type` of the topics as argument. Linux only: it reads /proc.
 */
async function measure(stack: TestStack, clickhouse: ClickHouse, load: Load) {
  const { sink, records, rowsPerRecord, valueOf, keyOf } = load;
  const kafka = (): number => cpuSeconds(stack.kafka.pid ?? 0) * 1e6;
  const beforeAppend = kafka();
  await append(stack, sink, records, valueOf, { messages: messagesAtOnce, everyMs: 0 }, keyOf);
  const appended = kafka();
  const bytesBefore = await bytesOf(clickhouse);
  const sinks = await role({
    ...{ command: 'sinks', portVariable: 'SINKS_PORT', environment: stackEnvironment(stack) },
    logFile: join(stack.folder, 'stored-sinks.log'),
  });
  await sinks.start();
  const figures = async (rows: number) => {
    const found = await atRows(clickhouse, sink.table, rows, sinks);
    return { ...found, kafka: kafka() };
  };
  const from = await figures(1);
  const to = await figures(records * rowsPerRecord);
  const rows = to.rows - from.rows;
  const server = (await cpuWithMerges(clickhouse)) - from.server;
  await sinks.stop();
  return {
    'rows a second out of a full topic': (rows / (to.at - from.at)) * 1_000,
    'sink, µs of a processor a row': (to.sink - from.sink) / rows,
    'ClickHouse, µs a row': server / rows,
    'Kafka, µs a record that is appended': (appended - beforeAppend) / records,
    'Kafka, µs a record that a sink reads': ((to.kafka - from.kafka) / rows) * rowsPerRecord,
    'Kafka, bytes a record, each replica': bytesOfTopic(stack, sink.from.name) / records,
    'ClickHouse, bytes a row': ((await bytesOf(clickhouse)) - bytesBefore) / to.rows,
  };
}

async function bytesOf(clickhouse: ClickHouse): Promise<number> {
  const [found] = await clickhouse.query<{ bytes: string }>(
    `SELECT sum(bytes_on_disk) AS bytes FROM system.parts WHERE active AND database = 'telltale'`,
  );
  return Number(found?.bytes);
}

function bytesOfTopic({ folder }: TestStack, topic: string): number {
  const segments = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    new RegExp(`/${topic}-\\d+/\\d+\\.log$`).test(path),
  );
  return segments.reduce((bytes, path) => bytes + statSync(join(folder, path)).size, 0);
}

const stack = await theStack();
try {
  const [, , compression = ''] = process.argv;
  await Promise.all([applyTopics(stack, { KAFKA_TOPIC_COMPRESSION: compression }), migrateTables(stack)]);
  const { url, writer } = stack.clickhouse;
  const clickhouse = connectClickHouse({ url, ...writer });
  for (const load of loads) {
    console.log(load.name);
    for (const [name, figure] of Object.entries(await measure(stack, clickhouse, load)))
      console.log(`${figure.toFixed(2).padStart(12)} ${name}`);
  }
  await clickhouse.close();
} finally {
  await stopTheStack();
}
