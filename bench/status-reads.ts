import { randomUUID } from 'node:crypto';
import { newSecret } from '../http-edge/keys/key-format.js';
import { metricsPath } from '../http-edge/routes.js';
import type { Comparison } from './comparison.js';
import { startChild, type Child } from './servers/child.js';
import type { Load, LoadResult } from './servers/load.js';
import type { StatusServerOptions } from './servers/status-server.js';
import { writeStatuses } from './status-topic.js';

export interface StatusReadBench {
  readonly comparisons: readonly Comparison[];
  stop(): Promise<void>;
}

const connections = 64;
const keyId = 'bench';
const tasks = 20_000;

/** Status answers of the edge from a store filled from Kafka; compared with bare `node:http`, same bytes. */
export async function openStatusReadBench(options: {
  readonly brokers: readonly string[];
  readonly pairs?: number;
  readonly seconds?: number;
}): Promise<StatusReadBench> {
  const { brokers, pairs = 5, seconds = 4 } = options;
  const topic = `bench.status-reads.${randomUUID().slice(0, 8)}`;
  const ids = await writeStatuses(brokers, topic, tasks);
  const secret = newSecret();
  const headers = { authorization: `Bearer tt_${keyId}_${secret}` };
  const paths = ids.map((id) => `${metricsPath}/task/${id}/status`);
  const load = startChild(new URL('./servers/load.js', import.meta.url));
  const edge = await startServer({ kind: 'edge', brokers, topic, keyId, secret });
  const answer = await fetch(`${edge.url}${paths[0] ?? ''}`, { headers });
  const body = await answer.text();
  if (answer.status !== 200) throw new Error(`the edge answered ${answer.status}: ${body}`);
  const bare = await startServer({ kind: 'bare-http', body });
  const run = (server: StatusServer): Promise<Measured> =>
    measure(server, load, { url: server.url, headers, paths, connections, seconds });
  const shared = { pairs, floorName: 'bare node:http, same bytes', target: { atLeast: 0.6 } } as const;
  return {
    comparisons: [
      {
        ...shared,
        name: 'status reads (64 connections)',
        unit: 'answers/s',
        ours: async () => (await run(edge)).perSecond,
        floor: async () => (await run(bare)).perSecond,
      },
      {
        ...shared,
        name: 'status reads, CPU (64 connections)',
        unit: 'answers per CPU-second of the edge',
        ours: async () => (await run(edge)).perCpuSecond,
        floor: async () => (await run(bare)).perCpuSecond,
      },
    ],
    async stop() {
      await Promise.all([load, edge.child, bare.child].map((child) => child.stop()));
    },
  };
}

interface StatusServer {
  readonly child: Child;
  readonly url: string;
}

interface Measured {
  readonly perSecond: number;
  readonly perCpuSecond: number;
}

async function startServer(options: StatusServerOptions): Promise<StatusServer> {
  const child = startChild(new URL('./servers/status-server.js', import.meta.url));
  const { port } = (await child.ask(options)) as { port: number };
  return { child, url: `http://127.0.0.1:${port}` };
}

async function measure({ child, url }: StatusServer, generator: Child, load: Load): Promise<Measured> {
  const before = await cpuOf(child);
  const result = (await generator.ask(load)) as LoadResult;
  const used = (await cpuOf(child)) - before;
  if (result.bad > 0) throw new Error(`${url} refused ${result.bad} requests`);
  return { perSecond: result.good / result.seconds, perCpuSecond: (result.good * 1e6) / used };
}

async function cpuOf(child: Child): Promise<number> {
  return ((await child.ask({})) as { cpu: number }).cpu;
}
