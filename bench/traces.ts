import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readTraces } from '../schemas/otlp/read-request.js';
import { role, runTelltale, stackEnvironment } from '../test/support/roles.js';
import type { TestStack } from '../test/support/stack.js';
import type { FiguresComparison } from './comparison.js';
import { createTopics } from './create-topics.js';
import { collectorBinary, startCollector } from './peers/collector.js';
import { cpuSeconds, peakMegabytes } from './process-figures.js';
import { startChild } from './servers/child.js';
import { otlpBody, type TraceLoad, type TraceLoadResult } from './servers/trace-load.js';

export interface TracesBench {
  readonly comparisons: readonly FiguresComparison[];
  stop(): Promise<void>;
}

/** A server that receives spans, a new one for each measurement. */
interface Server {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

interface Sending extends Pick<TraceLoad, 'spans' | 'gzip' | 'form'> {
  readonly key?: string;
}

const connections = 8;
const seconds = 5;
const warmSeconds = 4;
const topic = 'bench.spans';
const bodiesInOneGo = 400;
const spansPerBatch = 1_000;

/** The Collector's figures on such a machine, JSON in, Kafka out: spans per CPU-second, p99 in ms, MB. */
const recorded: Readonly<Record<number, readonly number[]>> = {
  1: [8_700, 4, 77],
  20: [73_000, 6, 77],
  100: [126_000, 11, 77],
};
const recordedGzip: readonly number[] = [104_000, 11, 77];

/** The target share of the Collector's spans per CPU-second, with everything on disk before the answer. */
const targets: Readonly<Record<number, number>> = { 1: 1, 20: 0.25, 100: 0.5 };

/**
 * Spans per CPU-second of the agent, with every span on its disk before the answer; compared with the
 * OpenTelemetry Collector, with every span in Kafka before the answer. Then the edge, which accepts the
 * agents' batches, and the share of JSON parsing in all of it.
 */
export async function openTracesBench(
  stack: TestStack,
  say: (line: string) => void,
  pairs = 3,
): Promise<TracesBench> {
  const folder = mkdtempSync(join(tmpdir(), 'telltale-bench-'));
  const load = startChild(new URL('./servers/trace-load.js', import.meta.url));
  const ask = async (message: TraceLoad): Promise<TraceLoadResult> =>
    (await load.ask(message)) as TraceLoadResult;
  const binary = await collectorBinary();
  if ('missing' in binary)
    say(`the Collector could not be built (${binary.missing}): its recorded figures stand for it`);
  await createTopics(stack.brokers, [{ topic, numPartitions: 12 }]);

  const measuring: Measuring = {
    folder,
    pairs,
    async measured(start, sending) {
      const server = await start();
      try {
        return await measuredOf(server, sending, ask);
      } finally {
        await server.stop();
      }
    },
    collector:
      'missing' in binary ? undefined : () => startCollector(binary.path, stack.brokers, topic, folder),
  };
  const edge = await startEdge(stack, folder);
  return {
    comparisons: [
      ofAgent(measuring, 1, false),
      ofAgent(measuring, 20, false),
      ofAgent(measuring, 100, false),
      ofAgent(measuring, 100, true),
      ofEdge(measuring, edge),
      ofReading(pairs),
    ],
    async stop() {
      await load.stop();
      await edge.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface Measuring {
  readonly folder: string;
  readonly pairs: number;
  /** Starts a server, sends to it, and stops it: spans per CPU-second, p99 in ms, MB. */
  readonly measured: (start: () => Promise<Server>, sending: Sending) => Promise<readonly number[]>;
  /** Undefined if it could not be built. */
  readonly collector: (() => Promise<Server>) | undefined;
}

async function measuredOf(
  { url, pid }: Server,
  sending: Sending,
  ask: (message: TraceLoad) => Promise<TraceLoadResult>,
): Promise<readonly number[]> {
  const message = { url, connections, ...sending };
  await ask({ ...message, seconds: warmSeconds });
  const before = cpuSeconds(pid);
  const { spans, bad, p99 } = await ask({ ...message, seconds });
  const used = cpuSeconds(pid) - before;
  if (bad > 0) throw new Error(`${url} refused ${bad} requests`);
  return [spans / used, p99, peakMegabytes(pid)];
}

function besideCollector(
  { collector, measured }: Measuring,
  sending: Sending,
): Pick<FiguresComparison, 'floorName' | 'floor'> {
  if (collector !== undefined)
    return { floorName: 'OpenTelemetry Collector', floor: () => measured(collector, sending) };
  const figures = sending.gzip ? recordedGzip : (recorded[sending.spans] ?? []);
  return { floorName: 'OpenTelemetry Collector, recorded earlier', floor: () => Promise.resolve(figures) };
}

function ofAgent(measuring: Measuring, spans: number, gzip: boolean): FiguresComparison {
  const sending: Sending = { form: 'otlp', spans, gzip };
  const what = `${spans} ${spans === 1 ? 'span' : 'spans'} a request${gzip ? ', gzip' : ''}`;
  return {
    pairs: measuring.pairs,
    figures: [
      {
        name: `traces to the agent's disk, ${what}`,
        unit: 'spans per CPU-second',
        target: { atLeast: targets[spans] ?? 0.25 },
      },
      { name: `p99 at ${connections} connections, ${what}`, unit: 'ms', target: { atMost: 2 } },
      { name: `memory, ${what}`, unit: 'MB', target: { atMost: 3 } },
    ],
    ours: () => measuring.measured(() => startTraceAgent(measuring.folder), sending),
    ...besideCollector(measuring, sending),
  };
}

function ofEdge(measuring: Measuring, edge: StartedEdge): FiguresComparison {
  const sending: Sending = { form: 'batches', spans: spansPerBatch, gzip: true, key: edge.key };
  return {
    pairs: measuring.pairs,
    figures: [
      {
        name: `agents' batches of ${spansPerBatch} spans to Kafka, by the edge, every span a trace and a record of its own`,
        unit: 'spans per CPU-second',
        target: { atLeast: 0.25 },
      },
    ],
    ...besideCollector(measuring, { form: 'otlp', spans: 100, gzip: true }),
    ours: () => measuring.measured(() => Promise.resolve(edge.server), sending),
  };
}

function ofReading(pairs: number): FiguresComparison {
  return {
    pairs,
    figures: [
      {
        name: 'reading 100 spans: parse, check, regroup',
        unit: 'spans per CPU-second',
        target: { atLeast: 0.5 },
      },
    ],
    floorName: 'JSON.parse alone',
    ours: () => Promise.resolve([spansPerCpuSecond((body) => readTraces(body))]),
    floor: () => Promise.resolve([spansPerCpuSecond((body) => JSON.parse(body.toString()))]),
  };
}

async function startTraceAgent(parent: string): Promise<Server> {
  const folder = mkdtempSync(join(parent, 'agent-'));
  const child = startChild(new URL('./servers/trace-agent.js', import.meta.url));
  const { url, pid } = (await child.ask({ folder })) as { url: string; pid: number };
  return {
    url: `${url}/apm/bench/v1/traces`,
    pid,
    async stop() {
      await child.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface StartedEdge {
  readonly server: Server;
  readonly key: string;
  stop(): Promise<void>;
}

async function startEdge(stack: TestStack, folder: string): Promise<StartedEdge> {
  const environment = stackEnvironment(stack);
  await runTelltale(['topics', 'apply'], environment);
  const scope = ['--workspace', 'bench', '--name', 'bench', '--scopes', 'agent', '--json'];
  const { key } = JSON.parse(await runTelltale(['keys', 'create', ...scope], environment)) as { key: string };
  const edge = await role({
    command: 'edge',
    portVariable: 'EDGE_PORT',
    environment: { ...environment, TELLTALE_STATE: join(folder, 'edge') },
    logFile: join(folder, 'edge.log'),
  });
  await edge.start();
  const url = `${edge.url}/api/v1/agent/spans`;
  const server = { url, pid: edge.pid ?? 0, stop: () => Promise.resolve() };
  return {
    server,
    key,
    async stop() {
      await edge.stop();
    },
  };
}

function spansPerCpuSecond(work: (body: Buffer) => unknown): number {
  const bodies = Array.from({ length: 16 }, () => Buffer.from(otlpBody(100)));
  const before = process.cpuUsage();
  for (let at = 0; at < bodiesInOneGo; at++) work(bodies[at % bodies.length] ?? Buffer.alloc(0));
  const { user, system } = process.cpuUsage(before);
  return (bodiesInOneGo * 100 * 1e6) / (user + system);
}
