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
import { chainedRows, rowJson, type SinkRecord } from '../runtime/sink/row-range.js';
import type { ScoringResult } from '../schemas/generated/scoring-result.js';
import { scoringResultsSink } from '../sinks/scoring-results/index.js';
import { scoringResults } from '../topics/scoring.js';
import type { Comparison } from './comparison.js';

export interface SinkBench {
  readonly comparisons: readonly Comparison[];
  stop(): Promise<void>;
}

const metrics = JSON.stringify({
  text_metrics: {
    created_at: '2026-01-01T00:00:00.000000Z',
    'prompt.has_patterns': null,
    'prompt.letter_count': 480,
    'prompt.lexicon_count': 110,
    'prompt.sentence_count': 6,
    'prompt.syllable_count': 160,
    'prompt.character_count': 500,
    'prompt.difficult_words': 14,
    'prompt.monosyllable_count': 70,
    'prompt.polysyllable_count': 12,
    'prompt.sentiment_lexicon': 0.4404,
    'prompt.flesch_reading_ease': 64.2,
    'prompt.automated_readability_index': 8.1,
    'prompt.aggregate_reading_level': 8,
    'prompt.flesch_kincaid_grade': 7.9,
    'prompt.smog_index': 9.7,
    'prompt.gunning_fog': 9.1,
    'prompt.coleman_liau_index': 7.4,
    'prompt.dale_chall_readability_score': 7.02,
    'prompt.linsear_write_formula': 8.5,
  },
});
const prompt = 'The parcel came late, but the people at the desk were patient and kind. '.repeat(8);

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
    metrics,
    error: null,
    scorer_versions: { text_metrics: 'bench/1' },
    accepted_at: at,
    appended_at: at,
    taken_at: at,
    scored_at: at,
  };
}

/**
 * Rows a second out of a full topic into ClickHouse, beside bare inserts of finished bytes: the same rows, format,
 * settings and rows an insert, as many at once as the sink has partitions.
 */
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
  let rowsAnInsert = 2_000;
  return {
    comparisons: [
      {
        pairs,
        name: 'sink, out of a full topic',
        unit: 'rows/s',
        floorName: 'bare inserts of finished bytes, same rows an insert',
        target: { atLeast: 0.8 },
        async ours() {
          const table = await emptyTable(clickhouse);
          const measured = await runSink(brokers, topic, table, rows, options.clickhouse);
          rowsAnInsert = measured.rowsAnInsert;
          return measured.rowsASecond;
        },
        async floor() {
          return insertBare(clickhouse, await emptyTable(clickhouse), rows, rowsAnInsert);
        },
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

async function emptyTable(clickhouse: ClickHouse): Promise<string> {
  const table = `telltale.bench_scoring_results_${process.pid}_${tables++}`;
  await clickhouse.command(`CREATE TABLE ${table} AS ${scoringResultsSink.table}`);
  return table;
}

async function runSink(
  brokers: readonly string[],
  topic: string,
  table: string,
  rows: number,
  access: ClickHouseOptions,
): Promise<{ readonly rowsASecond: number; readonly rowsAnInsert: number }> {
  const own = connectClickHouse(access);
  const counted = { inserts: 0, from: 0, to: 0 };
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
      condition: { met: () => void (counted.from = performance.now()), unmet: () => undefined },
      groupId: `bench-${randomUUID()}`,
      fatal: (error) => {
        throw error;
      },
    },
  );
  while ((await rowsOf(counters)) < rows) await sleep(20);
  await sink.stop();
  await own.close();
  return {
    rowsASecond: rows / ((counted.to - counted.from) / 1_000),
    rowsAnInsert: Math.round(rows / counted.inserts),
  };
}

async function rowsOf({ registry }: Metrics): Promise<number> {
  const metric = await registry.getSingleMetric('telltale_sink_rows_total')?.get();
  return metric?.values.reduce((sum, { value }) => sum + value, 0) ?? 0;
}

async function insertBare(
  clickhouse: ClickHouse,
  table: string,
  rows: number,
  rowsAnInsert: number,
): Promise<number> {
  const batches: { readonly bytes: Buffer; readonly rows: number }[] = [];
  for (let from = 0; from < rows; from += rowsAnInsert) {
    const records = Array.from({ length: Math.min(rowsAnInsert, rows - from) }, (_, index): SinkRecord => {
      const offset = from + index;
      const at = { topic: 'bench', partition: 0, offset };
      const value = resultOf(offset);
      const row = scoringResultsSink.row({ ...at, key: value.id, value, appendedAt: value.appended_at });
      return { offset, kind: 'row', json: [rowJson(row, at)], source: { key: null, value: null } };
    });
    batches.push({ bytes: chainedRows(records, from - 1, 'bench').ndjson, rows: records.length });
  }
  const run = randomUUID();
  const started = performance.now();
  let next = 0;
  await Promise.all(
    Array.from({ length: scoringResults.partitions }, async () => {
      for (let index = next++; index < batches.length; index = next++) {
        const batch = batches[index];
        if (batch !== undefined) await clickhouse.insert(table, batch.bytes, `${run}-${index}`);
      }
    }),
  );
  return rows / ((performance.now() - started) / 1_000);
}
