import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Partitioners } from 'kafkajs';
import { applyMigrations, readMigrations } from '../runtime/clickhouse/migrations.js';
import { connectClickHouse, type ClickHouse, type ClickHouseOptions } from '../runtime/clickhouse/client.js';
import { createKafka } from '../runtime/kafka/client.js';
import { silentLogger } from '../runtime/logging.js';
import { createMetrics, type Metrics } from '../runtime/metrics.js';
import { createCodec } from '../runtime/registry/codec.js';
import { readSchema } from '../runtime/registry/registry.js';
import { sinkConfig, startSink } from '../runtime/sink-loop.js';
import { rangeOf } from '../runtime/sink/row-range.js';
import type { ScoringResult } from '../schemas/generated/scoring-result.js';
import { scoringResultsSink } from '../sinks/scoring-results/index.js';
import { scoringResults } from '../topics/scoring.js';
import type { FiguresComparison } from './comparison.js';
import { insertBytes, insertObjects, type BareInserts } from './floors/bare-inserts.js';

export interface SinkBench {
  readonly comparisons: readonly FiguresComparison[];
  stop(): Promise<void>;
}

const prompt = 'The parcel came late, but the people at the desk were patient and kind. '.repeat(8);

/** Figures differ from row to row, as those of texts do: equal ones cost less to write and to read. */
function metricsOf(index: number): string {
  const spread = (from: number, to: number, step: number): number =>
    Number((from + (((index * 7_919) % 1_009) / 1_009) * (to - from)).toFixed(step));
  return JSON.stringify({
    text_metrics: {
      created_at: '2026-01-01T00:00:00.000000Z',
      'prompt.has_patterns': null,
      'prompt.letter_count': spread(300, 900, 0),
      'prompt.lexicon_count': spread(60, 200, 0),
      'prompt.sentence_count': spread(2, 12, 0),
      'prompt.syllable_count': spread(90, 300, 0),
      'prompt.character_count': spread(350, 1_000, 0),
      'prompt.difficult_words': spread(2, 40, 0),
      'prompt.monosyllable_count': spread(30, 120, 0),
      'prompt.polysyllable_count': spread(2, 30, 0),
      'prompt.sentiment_lexicon': spread(-1, 1, 4),
      'prompt.flesch_reading_ease': spread(10, 100, 2),
      'prompt.automated_readability_index': spread(2, 18, 1),
      'prompt.aggregate_reading_level': spread(2, 18, 0),
      'prompt.flesch_kincaid_grade': spread(2, 18, 1),
      'prompt.smog_index': spread(2, 18, 1),
      'prompt.gunning_fog': spread(2, 18, 2),
      'prompt.coleman_liau_index': spread(2, 18, 2),
      'prompt.dale_chall_readability_score': spread(2, 12, 2),
      'prompt.linsear_write_formula': spread(2, 18, 1),
    },
  });
}

function resultOf(index: number): ScoringResult {
  const at = Date.now() * 1_000;
  return {
    id: randomUUID(),
    workspace: `bench-${index % 7}`,
    key_id: 'bench',
    lane: 'task',
    metric: 'text_metrics',
    prompt,
    response: null,
    metrics: metricsOf(index),
    error: null,
    scorer_versions: { text_metrics: 'bench/1' },
    accepted_at: at,
    appended_at: at,
    taken_at: at,
    scored_at: at,
  };
}

/** Rows a second out of a full topic into ClickHouse, beside two ways of inserting as many of the same rows. */
export async function openSinkBench(options: {
  readonly brokers: readonly string[];
  readonly clickhouse: ClickHouseOptions;
  readonly pairs?: number;
  readonly rows?: number;
}): Promise<SinkBench> {
  const { brokers, pairs = 5, rows = 120_000 } = options;
  const clickhouse = connectClickHouse(options.clickhouse);
  const migrations = new URL('../sinks/scoring-results/migrations/', import.meta.url).pathname;
  await applyMigrations(readMigrations([migrations]), clickhouse);
  const topic = await fill(brokers, rows);
  let rowsAnInsert = 3_000;
  const ours = async () => {
    const measured = await onEmptyTable(clickhouse, (table) =>
      runSink(brokers, topic, table, rows, options.clickhouse),
    );
    rowsAnInsert = measured.rowsAnInsert;
    return measured;
  };
  const bare = <Result>(insert: (inserts: BareInserts) => Promise<Result>): Promise<Result> =>
    onEmptyTable(clickhouse, (table) =>
      insert({
        table,
        ndjson: bareRows(rowsAnInsert),
        rows: rowsAnInsert,
        times: Math.round(rows / rowsAnInsert),
      }),
    );
  return {
    comparisons: [
      {
        pairs,
        floorName: 'a program that has row objects: @clickhouse/client, same format and batch, one by one',
        figures: [
          { name: 'sink, out of a full topic', unit: 'rows/s', target: { atLeast: 0.8 } },
          { name: "sink, CPU of its process a row, Kafka's share included", unit: 'µs', target: null },
        ],
        async ours() {
          const { rowsASecond, cpuMicros } = await ours();
          return [rowsASecond, cpuMicros];
        },
        async floor() {
          const { rowsASecond, cpuMicros } = await bare((inserts) =>
            insertObjects(options.clickhouse, inserts),
          );
          return [rowsASecond, cpuMicros];
        },
      },
      {
        pairs: Math.min(pairs, 3),
        floorName: 'inserts of finished bytes, same batch, as many at once as the sink has partitions',
        figures: [{ name: 'sink, beside what ClickHouse takes at most', unit: 'rows/s', target: null }],
        ours: async () => [(await ours()).rowsASecond],
        floor: () =>
          bare(async (inserts) => [await insertBytes(clickhouse, inserts, scoringResults.partitions)]),
      },
    ],
    stop: () => clickhouse.close(),
  };
}

const codec = createCodec<ScoringResult>(scoringResults.name, readSchema('scoring-result'), 1, {
  schemaOf: () => Promise.resolve(undefined),
});

async function fill(brokers: readonly string[], rows: number): Promise<string> {
  const topic = `bench.sink.${randomUUID().slice(0, 8)}`;
  const kafka = createKafka({ brokers, clientId: 'bench', logger: silentLogger });
  const admin = kafka.admin();
  await admin.connect();
  await admin.createTopics({
    topics: [{ topic, numPartitions: scoringResults.partitions }],
    waitForLeaders: true,
  });
  await admin.disconnect();
  const producer = kafka.producer({ createPartitioner: Partitioners.DefaultPartitioner });
  await producer.connect();
  for (let done = 0; done < rows; done += 1_000) {
    const results = Array.from({ length: Math.min(1_000, rows - done) }, (_, index) => resultOf(index));
    const messages = results.map((result) => ({ key: result.id, value: codec.encode(result) }));
    await producer.send({ topic, messages });
  }
  await producer.disconnect();
  return topic;
}

let tables = 0;

/** Does the work on an empty table. It is dropped at once, or its merges would slow what is measured next. */
async function onEmptyTable<Result>(
  clickhouse: ClickHouse,
  work: (table: string) => Promise<Result>,
): Promise<Result> {
  const table = `telltale.bench_scoring_results_${process.pid}_${tables++}`;
  await clickhouse.command(`CREATE TABLE ${table} AS ${scoringResultsSink.table}`);
  try {
    return await work(table);
  } finally {
    await clickhouse.command(`DROP TABLE ${table} SYNC`);
  }
}

async function runSink(
  brokers: readonly string[],
  topic: string,
  table: string,
  rows: number,
  access: ClickHouseOptions,
): Promise<{ readonly rowsASecond: number; readonly rowsAnInsert: number; readonly cpuMicros: number }> {
  const own = connectClickHouse(access);
  const counted = { inserts: 0, from: 0, to: 0, cpuBefore: process.cpuUsage() };
  const counters = createMetrics();
  const sink = await startSink(
    { ...scoringResultsSink, table, from: { ...scoringResults, name: topic } },
    {
      kafka: createKafka({ brokers, clientId: 'bench', logger: silentLogger }),
      codec,
      clickhouse: {
        ...own,
        async insert(into, ndjson, token) {
          await own.insert(into, ndjson, token);
          counted.inserts += 1;
          counted.to = performance.now();
        },
      },
      deadLetters: { append: () => Promise.reject(new Error('nothing of this is poison')) },
      config: sinkConfig.parse({}),
      logger: silentLogger,
      metrics: counters,
      // From the moment of its assignment: joining a group takes a second or two, once.
      condition: {
        met() {
          counted.from = performance.now();
          counted.cpuBefore = process.cpuUsage();
        },
        unmet: () => undefined,
      },
      groupId: `bench-${randomUUID()}`,
      fatal: (error) => {
        throw error;
      },
    },
  );
  while ((await rowsOf(counters)) < rows) await sleep(20);
  const { user, system } = process.cpuUsage(counted.cpuBefore);
  await sink.stop();
  await own.close();
  return {
    rowsASecond: rows / ((counted.to - counted.from) / 1_000),
    rowsAnInsert: Math.round(rows / counted.inserts),
    cpuMicros: (user + system) / rows,
  };
}

async function rowsOf({ registry }: Metrics): Promise<number> {
  const metric = await registry.getSingleMetric('telltale_sink_rows_total')?.get();
  return metric?.values.reduce((sum, { value }) => sum + value, 0) ?? 0;
}

/** So many rows as the sink makes them. */
function bareRows(count: number): readonly Buffer[] {
  const records = Array.from({ length: count }, (_, offset) => {
    const at = { topic: 'bench', partition: 0, offset };
    const value = resultOf(offset);
    const row = scoringResultsSink.row({ ...at, key: value.id, value, appendedAt: value.appended_at });
    const source = { key: null, value: null, offset: String(offset), timestamp: '0' };
    return { offset, kind: 'row' as const, json: [row], source };
  });
  return rangeOf({ topic: 'bench', partition: 0, run: 'bench', indexed: false }, -1, records).ndjson;
}
