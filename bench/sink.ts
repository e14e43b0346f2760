import { randomUUID } from 'node:crypto';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectClickHouse, type ClickHouse } from '../runtime/clickhouse/client.js';
import { withAdmin } from '../runtime/kafka/client/admin.js';
import { sinkGroup } from '../runtime/group-ids.js';
import { openCodec } from '../runtime/registry/codec.js';
import { connectRegistry } from '../runtime/registry/registry.js';
import type { Sink } from '../runtime/sink.js';
import { scoringResultsSink } from '../sinks/scoring-results/index.js';
import { spansSink } from '../sinks/spans/index.js';
import { clickhouseServer } from '../stack/clickhouse/clickhouse.js';
import { pickFreePort } from '../stack/ports.js';
import { role, runTelltale, stackEnvironment, type Role } from '../test/support/roles.js';
import type { TestStack } from '../test/support/stack.js';
import type { FiguresComparison } from './comparison.js';
import { cpuSeconds } from './process-figures.js';
import { resultOf, spansOf } from './sink-records.js';
import { accessTo } from '../test/support/kafka.js';
import { openBenchAppender } from './servers/measured.js';

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
/** The first seconds don't count: a new process spends more on compiling than on rows. */
const steady = { aSecond: 2_000, warmUpSeconds: 10, seconds: 20 } as const;
const atRate = `scoring results at ${steady.aSecond.toLocaleString('en')} a second`;
const recordsPerMessageSet = 1_000;
/** Often enough for a run of seconds. A poll costs ClickHouse a few milliseconds, counted as the sink's. */
const pollMs = 200;
const resultTargets = { rows: { atLeast: 2 }, sink: { atMost: 0.5 }, server: { atMost: 0.65 } } as const;
const spanTargets = { rows: null, sink: { atMost: 0.6 }, server: { atMost: 0.5 } } as const;

/** A checkout with a ClickHouse of its own, whose tables its own migrations have created. */
interface Side {
  readonly program: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly clickhouse: ClickHouse;
}

/**
 * The role `sinks` on full topics, compared with that of another checkout, each in a process of its own with
 * its own ClickHouse: rows per second, and CPU per row of the process and of ClickHouse, including merges.
 * Nothing counts before the first row is stored: a process takes a second to start.
 */
export async function openSinkBench(stack: TestStack, peer: string, pairs = 5): Promise<SinkBench> {
  const second = clickhouseServer({
    ...stack.clickhouse,
    port: await pickFreePort(),
    portVariable: 'nothing: the bench picks a port by itself',
    dataFolder: join(stack.folder, 'data', 'clickhouse-of-peer'),
    logFolder: join(stack.folder, 'logs-of-peer'),
  });
  await second.start();
  // The peer's schemas first: the registry accepts a later version only after an earlier one.
  const theirs = await prepared(peer, stack, second.url);
  const ours = await prepared('.', stack, stack.clickhouse.url);
  const results = await fill(stack, scoringResultsSink, records.results, 1, resultOf);
  const spans = await fill(stack, spansSink, records.traces, spansOf(0).spans.length, spansOf);
  const measured = (side: Side, topic: FullTopic) => () => measure(stack, side, topic);
  const compared = (what: string, topic: FullTopic, targets: typeof resultTargets | typeof spanTargets) => ({
    pairs,
    floorName: 'another checkout, with its tables',
    figures: [
      { name: `${what} out of a full topic`, unit: 'rows/s', target: targets.rows },
      { name: `${what}, CPU of the sinks' process a row`, unit: 'µs', target: targets.sink },
      { name: `${what}, CPU of ClickHouse a row`, unit: 'µs', target: targets.server },
    ],
    ours: measured(ours, topic),
    floor: measured(theirs, topic),
  });
  return {
    comparisons: [
      compared('scoring results', results, resultTargets),
      compared('spans', spans, spanTargets),
      {
        pairs,
        floorName: 'another checkout, with its tables',
        figures: [
          { name: `${atRate}, CPU of the sinks' process a row`, unit: 'µs', target: resultTargets.sink },
          { name: `${atRate}, CPU of ClickHouse a row`, unit: 'µs', target: resultTargets.server },
        ],
        ours: () => measureSteady(stack, ours),
        floor: () => measureSteady(stack, theirs),
      },
    ],
    async stop() {
      await Promise.all([ours, theirs].map(({ clickhouse }) => clickhouse.close()));
      await second.stop();
    },
  };
}

async function prepared(checkout: string, stack: TestStack, url: string): Promise<Side> {
  const program = join(resolve(checkout), 'dist/cli/telltale.js');
  const environment = stackEnvironment({ ...stack, clickhouse: { ...stack.clickhouse, url } });
  await runTelltale(['topics', 'apply'], environment, program);
  await runTelltale(['migrate'], environment, program);
  return { program, environment, clickhouse: connectClickHouse({ url, ...stack.clickhouse.writer }) };
}

async function measure(stack: TestStack, side: Side, { sink, rows }: FullTopic): Promise<readonly number[]> {
  const { sinks, table } = await emptied(stack, side, sink);
  const starting = sinks.start();
  try {
    const from = await atRows(side.clickhouse, table, 1, sinks);
    const to = await atRows(side.clickhouse, table, rows, sinks);
    const stored = to.rows - from.rows;
    const server = (await cpuWithMerges(side.clickhouse)) - from.server;
    return [(stored / (to.at - from.at)) * 1_000, (to.sink - from.sink) / stored, server / stored];
  } finally {
    await starting;
    await sinks.stop();
  }
}

/** Results that come at a steady rate, so that a range is what came during the wait. */
async function measureSteady(stack: TestStack, side: Side): Promise<readonly number[]> {
  const sink = scoringResultsSink;
  await discardRecords(stack, sink.from.name);
  const { sinks, table } = await emptied(stack, side, sink);
  await sinks.start();
  try {
    const all = steady.aSecond * (steady.warmUpSeconds + steady.seconds);
    const appending = append(stack, sink, all, resultOf, { messages: steady.aSecond / 10, everyMs: 100 });
    const from = await atRows(side.clickhouse, table, steady.aSecond * steady.warmUpSeconds, sinks);
    await appending;
    const to = await atRows(side.clickhouse, table, all, sinks);
    const rows = to.rows - from.rows;
    return [(to.sink - from.sink) / rows, ((await cpuWithMerges(side.clickhouse)) - from.server) / rows];
  } finally {
    await sinks.stop();
  }
}

/** Empties the sink's table and its group's offsets, and returns its process, not started yet. */
async function emptied(
  stack: TestStack,
  { program, environment, clickhouse }: Side,
  sink: Sink,
): Promise<{ readonly sinks: Role; readonly table: string }> {
  const table = await tableOf(clickhouse, sink);
  await clickhouse.command(`TRUNCATE TABLE ${table} SYNC`);
  await withAdmin(accessTo(stack.brokers), async (admin) => {
    const groups = (await admin.listGroups()).groups.map(({ groupId }) => groupId);
    await admin.deleteGroups(groups.filter((group) => group === sinkGroup(sink)));
  });
  const logFile = join(stack.folder, `sinks-${randomUUID().slice(0, 8)}.log`);
  const sinks = await role({ program, command: 'sinks', portVariable: 'SINKS_PORT', environment, logFile });
  return { sinks, table };
}

function discardRecords({ brokers }: TestStack, topic: string): Promise<void> {
  return withAdmin(accessTo(brokers), async (admin) => {
    const ends = await admin.fetchTopicOffsets(topic);
    const partitions = ends.map(({ partition, high }) => ({ partition, offset: high }));
    await admin.deleteTopicRecords({ topic, partitions });
  });
}

/** Another checkout may name its table differently: before results had versions, like today's view. */
async function tableOf(clickhouse: ClickHouse, sink: Sink): Promise<string> {
  const found = await clickhouse.query<{ name: string }>(
    `SELECT name FROM system.tables WHERE database || '.' || name = {table:String}`,
    { table: sink.table },
  );
  return found.length > 0 ? sink.table : 'telltale.scoring_results';
}

/** Resolves once the table has so many rows: how many, and the microseconds of processor time until then. */
export async function atRows(clickhouse: ClickHouse, table: string, least: number, { pid }: Role) {
  for (;;) {
    const [found] = await clickhouse.query<{ rows: string }>(`SELECT count() AS rows FROM ${table}`);
    const rows = Number(found?.rows);
    const sink = cpuSeconds(pid ?? process.pid) * 1e6;
    if (rows >= least) return { rows, at: performance.now(), sink, server: await cpuOf(clickhouse) };
    await sleep(pollMs);
  }
}

/** Processor time in microseconds, once no merge has been running for a second. */
export async function cpuWithMerges(clickhouse: ClickHouse): Promise<number> {
  for (let quiet = 0; quiet < 1_000;) {
    await sleep(pollMs);
    const [found] = await clickhouse.query<{ merges: string }>('SELECT count() AS merges FROM system.merges');
    quiet = Number(found?.merges) === 0 ? quiet + pollMs : 0;
  }
  return cpuOf(clickhouse);
}

async function cpuOf(clickhouse: ClickHouse): Promise<number> {
  const [found] = await clickhouse.query<{ cpu: string }>(
    `SELECT sum(value) AS cpu FROM system.events WHERE event IN ('UserTimeMicroseconds', 'SystemTimeMicroseconds')`,
  );
  return Number(found?.cpu);
}

async function fill(
  stack: TestStack,
  sink: Sink,
  count: number,
  rowsPerRecord: number,
  valueOf: (index: number) => unknown,
): Promise<FullTopic> {
  await append(stack, sink, count, valueOf, { messages: recordsPerMessageSet, everyMs: 0 });
  return { sink, rows: count * rowsPerRecord };
}

/** Appends encoded records to the topic of a sink, so many at a time. */
export async function append(
  stack: TestStack,
  sink: Sink,
  count: number,
  valueOf: (index: number) => unknown,
  pace: { readonly messages: number; readonly everyMs: number },
  keyOf: () => string = randomUUID,
): Promise<void> {
  const codec = await openCodec(sink.from, connectRegistry(stack.registryConfig));
  const appender = await openBenchAppender(stack.brokers);
  const started = performance.now();
  for (let done = 0; done < count; done += pace.messages) {
    const messages = Array.from({ length: Math.min(pace.messages, count - done) }, (_, index) => ({
      topic: sink.from.name,
      key: keyOf(),
      value: codec.encode(valueOf(done + index)),
    }));
    await appender.append(messages);
    const due = started + ((done + pace.messages) / pace.messages) * pace.everyMs;
    const early = due - performance.now();
    if (early > 0) await sleep(early);
  }
  await appender.stop();
}
