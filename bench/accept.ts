import { newSecret } from '../http-edge/keys/key-format.js';
import { metricsPath } from '../http-edge/routes.js';
import type { RegistryConfig } from '../runtime/kafka/client/config.js';
import { scoringRequests } from '../topics/scoring.js';
import type { Comparison } from './comparison.js';
import { createTopics } from './create-topics.js';
import type { AcceptServerKind, AcceptServerOptions } from './servers/accept-server.js';
import { startChild, type Child } from './servers/child.js';
import type { Load, LoadResult } from './servers/load.js';

export interface AcceptBench {
  readonly comparisons: readonly Comparison[];
  stop(): Promise<void>;
}

export interface AcceptBenchOptions {
  readonly brokers: readonly string[];
  /** The registry has the schemas of the catalogue: `telltale topics apply`. */
  readonly registryConfig: RegistryConfig;
  readonly pairs?: number;
  readonly seconds?: number;
}

const connections = 64;
const keyId = 'bench';
const topics = { status: 'bench.accept.status', requests: 'bench.accept.requests' };
const createdTopics = Object.values(topics).map((topic) => ({
  topic,
  numPartitions: scoringRequests.partitions,
  maxMessageBytes: scoringRequests.maxMessageBytes,
}));
const sentence = 'Our parcel came two days late, but the people at the desk were patient and kind. ';
/** 1.5 KB, the size in the target. */
const body = JSON.stringify({ prompt: sentence.repeat(20).slice(0, 1_487) });

/**
 * Accepting a task with acks of all replicas: requests per CPU-second of the server, compared with bare
 * `node:http` with the same producer; and requests per second, compared with express and one send per
 * request.
 */
export async function openAcceptBench(options: AcceptBenchOptions): Promise<AcceptBench> {
  const { pairs = 5, seconds = 4 } = options;
  await createTopics(options.brokers, createdTopics);
  const secret = newSecret();
  const load = startChild(new URL('./servers/load.js', import.meta.url));
  const servers = await Promise.all(
    (['edge', 'bare-http', 'express-json'] as const).map((kind) =>
      startServer({ kind, ...options, topics, keyId, secret }),
    ),
  );
  const [edge, bare, express] = servers as [AcceptServer, AcceptServer, AcceptServer];
  const run = (server: AcceptServer): Promise<Measured> => measure(server, load, secret, seconds);
  return {
    comparisons: [
      {
        pairs,
        name: 'tasks accepted, CPU (acks=all, 1.5 KB, 64 connections)',
        unit: 'requests per CPU-second of the edge',
        floorName: 'bare node:http, same batching producer',
        target: { atLeast: 0.7 },
        ours: async () => (await run(edge)).perCpuSecond,
        floor: async () => (await run(bare)).perCpuSecond,
      },
      {
        pairs,
        name: 'tasks accepted, throughput (acks=all, 1.5 KB, 64 connections)',
        unit: 'requests/s',
        floorName: 'express, express.json(), one send a request',
        target: { atLeast: 3 },
        ours: async () => (await run(edge)).perSecond,
        floor: async () => (await run(express)).perSecond,
      },
    ],
    async stop() {
      await Promise.all([load.stop(), ...servers.map(({ child }) => child.stop())]);
    },
  };
}

export interface AcceptServer {
  readonly child: Child;
  readonly url: string;
}

/** The parts of a load that make up one request. */
export type TaskRequest = Pick<Load, 'url' | 'headers' | 'body'>;

/** The edge alone, and a request that it accepts. */
export async function openAcceptServer(
  options: Pick<AcceptBenchOptions, 'brokers' | 'registryConfig'>,
): Promise<{ readonly server: AcceptServer; readonly request: TaskRequest }> {
  await createTopics(options.brokers, createdTopics);
  const secret = newSecret();
  const server = await startServer({ kind: 'edge', ...options, topics, keyId, secret });
  return { server, request: requestOf(server, secret) };
}

function requestOf({ url }: AcceptServer, secret: string): TaskRequest {
  const headers = { authorization: `Bearer tt_${keyId}_${secret}`, 'content-type': 'application/json' };
  return { url, headers, body };
}

interface Measured {
  readonly perSecond: number;
  readonly perCpuSecond: number;
}

/** The setting with which compose.yaml starts the edge. */
const heap = ['--max-semi-space-size=64'];

const paths: Readonly<Record<AcceptServerKind, string>> = {
  edge: `${metricsPath}/text-metrics/task`,
  'bare-http': '/accept',
  'express-json': '/accept',
};

async function startServer(options: AcceptServerOptions): Promise<AcceptServer> {
  const child = startChild(new URL('./servers/accept-server.js', import.meta.url), heap);
  const { port } = (await child.ask(options)) as { port: number };
  return { child, url: `http://127.0.0.1:${port}${paths[options.kind]}` };
}

async function measure(
  server: AcceptServer,
  generator: Child,
  secret: string,
  seconds: number,
): Promise<Measured> {
  const { child, url } = server;
  const load: Load = { ...requestOf(server, secret), connections, seconds };
  const before = await cpuOf(child);
  const result = (await generator.ask(load)) as LoadResult;
  const used = (await cpuOf(child)) - before;
  if (result.bad > 0) throw new Error(`${url} refused ${result.bad} requests`);
  return { perSecond: result.good / result.seconds, perCpuSecond: (result.good * 1e6) / used };
}

async function cpuOf(child: Child): Promise<number> {
  return ((await child.ask({})) as { cpu: number }).cpu;
}
