import { randomUUID } from 'node:crypto';
import type { Kafka } from 'kafkajs';
import { connectClickHouse, type ClickHouse } from '../../runtime/clickhouse/client.js';
import type { TelltaleError } from '../../runtime/errors.js';
import { createHealth } from '../../runtime/health.js';
import { createKafka } from '../../runtime/kafka/client/client.js';
import type { EncodedRecord } from '../../runtime/kafka/produce/appender.js';
import { createLogger, silentLogger } from '../../runtime/logging.js';
import { createMetrics } from '../../runtime/metrics.js';
import { startSink, type RunningSink } from '../../runtime/sink-loop.js';
import { accessTo, connectedProducer } from './kafka.js';
import { sampleSchemas, sampleSink } from './samples.js';
import { freshTopic, makeTopic } from './topic-of-test.js';
import type { TestStack } from './stack.js';

/** The settings of a sink, in this process or another. */
export interface SinkSettings {
  readonly brokers: readonly string[];
  readonly clickhouse: { readonly url: string; readonly user: string; readonly password: string };
  readonly topic: string;
  readonly table: string;
  readonly partitions: number;
  readonly batchRows: number;
  /** Each record becomes this many rows; one, by `row`, unless given. */
  readonly rowsPerRecord?: number;
  readonly logLevel?: string;
  /** Kills its own process at the worst time: just before or after the insert with this number. */
  readonly dies?: { readonly when: 'before' | 'after'; readonly insert: number };
}

/** How long the group of these sinks waits for a silent member. */
export const sessionMs = 3_000;

export async function startSampleSink(
  settings: SinkSettings,
  fatal: (error: TelltaleError) => void,
): Promise<RunningSink> {
  const logger =
    settings.logLevel === undefined
      ? silentLogger
      : createLogger({ level: settings.logLevel, format: 'json', role: 'sink' });
  const kafka = { ...accessTo(settings.brokers), clientId: 'sink', logger };
  const producer = await connectedProducer(createKafka(kafka));
  const running = await startSink(sampleSink(settings), {
    kafka,
    schemas: sampleSchemas(settings.topic),
    clickhouse: dyingAt(settings.dies, connectClickHouse(settings.clickhouse)),
    sessionTimeoutMs: sessionMs,
    deadLetters: {
      async append(...stages: readonly (readonly EncodedRecord[])[]) {
        for (const { topic: name, key, value, headers } of stages.flat()) {
          await producer.send({ topic: name, messages: [{ key, value, ...(headers && { headers }) }] });
        }
      },
    },
    config: {
      SINK_BATCH_ROWS: settings.batchRows,
      SINK_BATCH_BYTES: 1_000_000,
      SINK_MAX_WAIT_MS: 50,
      SINK_BUSY_WAIT_MS: 200,
    },
    logger,
    metrics: createMetrics(),
    condition: createHealth().condition('group'),
    fatal,
  });
  return {
    async stop() {
      await running.stop();
      await producer.disconnect();
    },
  };
}

function dyingAt(dies: SinkSettings['dies'], clickhouse: ClickHouse): ClickHouse {
  if (dies === undefined) return clickhouse;
  let inserts = 0;
  const die = (): void => void process.kill(process.pid, 'SIGKILL');
  return {
    ...clickhouse,
    async insertAvro(...insert) {
      const isLast = ++inserts >= dies.insert;
      if (isLast && dies.when === 'before') die();
      await clickhouse.insertAvro(...insert);
      if (isLast) die();
    },
  };
}

/** A topic, its dead-letter topic, and an empty table with a materialized view behind it. */
export async function newSamples(
  stack: TestStack,
  kafka: Kafka,
  { partitions = 3, batchRows = 200, rowsPerRecord }: Partial<SinkSettings> = {},
): Promise<{ readonly settings: SinkSettings; readonly clickhouse: ClickHouse; readonly byMonth: string }> {
  const topicName = await freshTopic(kafka, 'samples', partitions);
  await makeTopic(kafka, `${topicName}.dead-letters`);
  const account = { url: stack.clickhouse.url, ...stack.clickhouse.writer };
  const clickhouse = connectClickHouse(account);
  const table = `telltale.samples_${randomUUID().slice(0, 8)}`;
  const window = 'SETTINGS non_replicated_deduplication_window = 10000';
  await clickhouse.command('CREATE DATABASE IF NOT EXISTS telltale');
  await clickhouse.command(
    `CREATE TABLE ${table} (id UInt32, month UInt8, _topic LowCardinality(String), _partition UInt16, _offset UInt64,
     _run LowCardinality(String), _previous_offset Int64${rowsPerRecord === undefined ? '' : ', _index UInt32, _rows UInt32'}) ENGINE = MergeTree PARTITION BY month ORDER BY id ${window}`,
  );
  const byMonth = `${table}_by_month`;
  await clickhouse.command(
    `CREATE TABLE ${byMonth} (month UInt8, samples UInt64) ENGINE = SummingMergeTree ORDER BY month ${window}`,
  );
  await createView(clickhouse, table);
  const settings = {
    brokers: stack.brokers,
    clickhouse: account,
    topic: topicName,
    table,
    partitions,
    batchRows,
    ...(rowsPerRecord === undefined ? {} : { rowsPerRecord }),
  };
  return { settings, clickhouse, byMonth };
}

/** Creates the view that fills the monthly totals from the table. */
export async function createView(clickhouse: ClickHouse, table: string): Promise<void> {
  await clickhouse.command(
    `CREATE MATERIALIZED VIEW ${table}_to_month TO ${table}_by_month AS SELECT month, count() AS samples FROM ${table} GROUP BY month`,
  );
}

export interface Tally {
  readonly rows: number;
  readonly ids: number;
  readonly inView: number;
  readonly duplicates: number;
  /** Rows whose predecessor is missing, except the first of each partition. */
  readonly gaps: number;
}

export async function tallyOf(
  clickhouse: ClickHouse,
  { table, rowsPerRecord }: SinkSettings,
  byMonth: string,
): Promise<Tally> {
  const several = rowsPerRecord === undefined ? '' : ', _index';
  const [row] = await clickhouse.query<Record<keyof Tally, string>>(
    `SELECT count() AS rows, uniqExact(id) AS ids, (SELECT sum(samples) FROM ${byMonth}) AS inView,
       rows - uniqExact(_topic, _partition, _run, _offset${several}) AS duplicates,
       countIf(_previous_offset >= 0 AND (_partition, _run, _previous_offset) NOT IN (SELECT _partition, _run, _offset FROM ${table})) AS gaps
     FROM ${table}`,
  );
  const number = (key: keyof Tally): number => Number(row?.[key]);
  return {
    rows: number('rows'),
    ids: number('ids'),
    inView: number('inView'),
    duplicates: number('duplicates'),
    gaps: number('gaps'),
  };
}
