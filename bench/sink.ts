import { randomUUID } from 'node:crypto';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Partitioners, type Admin } from 'kafkajs';
import { connectClickHouse, type ClickHouse } from '../runtime/clickhouse/client.js';
import { createKafka } from '../runtime/kafka/client/client.js';
import { silentLogger } from '../runtime/logging.js';
import { openCodec } from '../runtime/registry/codec.js';
import { connectRegistry } from '../runtime/registry/registry.js';
import type { Sink } from '../runtime/sink.js';
import { scoringResultsSink } from '../sinks/scoring-results/index.js';
import { spansSink } from '../sinks/spans/index.js';
import { role, stackEnvironment } from '../test/support/roles.js';
import type { TestStack } from '../test/support/stack.js';
import type { FiguresComparison } from './comparison.js';
import { cpuSeconds } from './process-figures.js';
import { resultOf, spansOf } from './sink-records.js';
import { plaintext } from '../runtime/kafka/client/security/kafka-security.js';

export interface SinkBench {
  readonly comparisons: readonly FiguresComparison[];
  stop(): Promise<void>;
}

/** A full topic, and the table of its rows. */
interface FullTopic {
  readonly sink: Sink;
  readonly rows: number;
}

const records = { results: 240_000, traces: 40_000 } as const;
const recordsAMessageSet = 1_000;
/** Often enough for a run of seconds; each poll costs ClickHouse a few milliseconds, which count as the sink's. */
const pollMs = 200;
const resultTargets = { rows: { atLeast: 2 }, sink: { atMost: 0.5 }, server: { atMost: 0.65 } } as const;
const spanTargets = { rows: null, sink: { atMost: 0.6 }, server: { atMost: 0.5 } } as const;

/**
 * The role `sinks` out of full topics, beside that of another checkout, each a process of its own: rows a second, and CPU a row
 * of the process and of ClickHouse. Nothing counts before the first row is stored: a process takes a second to start.
 */
export async function openSinkBench(stack: TestStack, peer: string, pairs = 3): Promise<SinkBench> {
  const clickhouse = connectClickHouse({ url: stack.clickhouse.url, ...stack.clickhouse.writer });
  const kafka = createKafka({
    brokers: stack.brokers,
    security: plaintext,
    clientId: 'bench',
    logger: silentLogger,
  });
  const admin = kafka.admin();
  await admin.connect();
  const results = await fill(stack, scoringResultsSink, records.results, 1, resultOf);
  const spans = await fill(stack, spansSink, records.traces, spansOf(0).spans.length, spansOf);
  const measured = (checkout: string, topic: FullTopic) => () =>
    measure(stack, admin, clickhouse, resolve(checkout), topic);
  const compared = (what: string, topic: FullTopic, targets: typeof resultTargets | typeof spanTargets) => ({
    pairs,
    floorName: 'the same of another checkout',
    figures: [
      { name: `${what} out of a full topic`, unit: 'rows/s', target: targets.rows },
      { name: `${what}, CPU of the sinks' process a row`, unit: 'µs', target: targets.sink },
      { name: `${what}, CPU of ClickHouse a row`, unit: 'µs', target: targets.server },
    ],
    ours: measured('.', topic),
    floor: measured(peer, topic),
  });
  return {
    comparisons: [compared('scoring results', results, resultTargets), compared('spans', spans, spanTargets)],
    async stop() {
      await admin.disconnect();
      await clickhouse.close();
    },
  };
}

async function measure(
  stack: TestStack,
  admin: Admin,
  clickhouse: ClickHouse,
  checkout: string,
  { sink, rows }: FullTopic,
): Promise<readonly number[]> {
  await clickhouse.command(`TRUNCATE TABLE ${sink.table} SYNC`);
  const groups = (await admin.listGroups()).groups.map(({ groupId }) => groupId);
  await admin.deleteGroups(groups.filter((group) => group === `telltale.sink.${sink.name}`));
  const sinks = await role({
    program: join(checkout, 'dist/cli/telltale.js'),
    command: 'sinks',
    portVariable: 'SINKS_PORT',
    environment: stackEnvironment(stack),
    logFile: join(stack.folder, `sinks-${randomUUID().slice(0, 8)}.log`),
  });
  const starting = sinks.start();
  try {
    const from = await atRows(clickhouse, sink.table, 1, () => sinks.pid);
    const to = await atRows(clickhouse, sink.table, rows, () => sinks.pid);
    const stored = to.rows - from.rows;
    const seconds = (to.at - from.at) / 1_000;
    return [stored / seconds, ...[to.sink - from.sink, to.server - from.server].map((cpu) => cpu / stored)];
  } finally {
    await starting;
    await sinks.stop();
  }
}

async function atRows(clickhouse: ClickHouse, table: string, least: number, pid: () => number | undefined) {
  for (;;) {
    const [found] = await clickhouse.query<{ rows: string; cpu: string }>(
      `SELECT (SELECT count() FROM ${table}) AS rows, sum(value) AS cpu FROM system.events
       WHERE event IN ('UserTimeMicroseconds', 'SystemTimeMicroseconds')`,
    );
    const rows = Number(found?.rows);
    const sink = cpuSeconds(pid() ?? process.pid) * 1e6;
    if (rows >= least) return { rows, at: performance.now(), sink, server: Number(found?.cpu) };
    await sleep(pollMs);
  }
}

async function fill(
  stack: TestStack,
  sink: Sink,
  count: number,
  rowsARecord: number,
  valueOf: (index: number) => unknown,
): Promise<FullTopic> {
  const codec = await openCodec(sink.from, connectRegistry(stack.registryConfig));
  const kafka = createKafka({
    brokers: stack.brokers,
    security: plaintext,
    clientId: 'bench',
    logger: silentLogger,
  });
  const producer = kafka.producer({ createPartitioner: Partitioners.DefaultPartitioner });
  await producer.connect();
  for (let done = 0; done < count; done += recordsAMessageSet) {
    const messages = Array.from({ length: Math.min(recordsAMessageSet, count - done) }, (_, index) => ({
      key: randomUUID(),
      value: codec.encode(valueOf(done + index)),
    }));
    await producer.send({ topic: sink.from.name, messages });
  }
  await producer.disconnect();
  return { sink, rows: count * rowsARecord };
}
