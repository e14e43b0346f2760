import { fork, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { shardingConfig } from '../http-edge/status-view/sharded/config.js';
import { startShardedStatusView } from '../http-edge/status-view/sharded/sharded-status-view.js';
import { startStatusView, type StatusView } from '../http-edge/status-view/status-view.js';
import { readConfig } from '../runtime/config.js';
import { createHealth } from '../runtime/health.js';
import { plaintext } from '../runtime/kafka/client/kafka-access.js';
import { silentLogger } from '../runtime/logging.js';
import { createMetrics } from '../runtime/metrics.js';
import { pickFreePort } from '../stack/ports.js';
import { taskStatus } from '../topics/scoring.js';
import { stopTheStack, theStack } from '../test/support/stack.js';
import { benchWorkspace, statusCodec, writeStatuses } from './status-topic.js';

/**
 * What the statuses of this many tasks cost each edge if every edge keeps all of them, and if 1, 2 and 4
 * edges share them. Also how long 500 of them take to read, and how long some are unavailable when an edge is
 * killed: `node dist/bench/sharded-statuses.js [tasks]`.
 */
interface ViewOptions {
  readonly brokers: readonly string[];
  readonly topic: string;
  readonly folder: string;
  readonly port: number;
  readonly kind: 'whole' | 'sharded';
  readonly copies: number;
  readonly groupId: string;
  readonly secret: string;
}

type Question = { readonly kind: 'cost' } | { readonly kind: 'read'; readonly ids: readonly string[] };

interface Cost {
  readonly heapMiB: number;
  readonly anonymousMiB: number;
  readonly residentMiB: number;
  readonly diskMiB: number;
  /** From sockets and files, since the process started to read. */
  readonly readMiB: number;
}

const mebibyte = 1024 * 1024;
const self = fileURLToPath(import.meta.url);

class Edge {
  private constructor(private readonly child: ChildProcess) {}

  static async start(options: ViewOptions): Promise<Edge> {
    const child = fork(self, ['edge'], { execArgv: ['--expose-gc'] });
    const edge = new Edge(child);
    child.send(options);
    await edge.message();
    return edge;
  }

  cost(): Promise<Cost> {
    this.child.send({ kind: 'cost' } satisfies Question);
    return this.message() as Promise<Cost>;
  }

  /** How many of the tasks it finds. */
  read(ids: readonly string[]): Promise<number> {
    this.child.send({ kind: 'read', ids } satisfies Question);
    return this.message() as Promise<number>;
  }

  kill(): void {
    this.child.kill('SIGKILL');
  }

  private message(): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.child.once('message', resolve);
      this.child.once('exit', (code) => reject(new Error(`an edge ended with ${String(code)}`)));
    });
  }
}

async function measure(
  brokers: readonly string[],
  topic: string,
  ids: readonly string[],
  { count, kind, copies = 1 }: { count: number; kind: 'whole' | 'sharded'; copies?: number },
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'telltale-shards-'));
  const groupId = `bench.${randomUUID()}`;
  const ports = await Promise.all(Array.from({ length: count }, () => pickFreePort()));
  const secret = randomUUID() + randomUUID();
  const common = { brokers, topic, kind, copies, groupId, secret };
  const edges = await Promise.all(
    ports.map((port) => Edge.start({ ...common, folder: join(folder, String(port)), port })),
  );
  // Shards move while the edges start: wait until that is over.
  await sleep(3_000);
  const costs = await Promise.all(edges.map((edge) => edge.cost()));
  const mean = (of: (cost: Cost) => number): number =>
    Math.round((costs.reduce((sum, cost) => sum + of(cost), 0) / count) * 10) / 10;
  console.log(
    JSON.stringify({
      ...{ edges: count, kind, copies },
      heapMiB: mean(({ heapMiB }) => heapMiB),
      anonymousMiB: mean(({ anonymousMiB }) => anonymousMiB),
      residentMiB: mean(({ residentMiB }) => residentMiB),
      diskMiB: mean(({ diskMiB }) => diskMiB),
      readMiB: mean(({ readMiB }) => readMiB),
    }),
  );
  const [first, ...others] = edges;
  if (first !== undefined && others.length > 0 && kind === 'sharded') {
    const asked = performance.now();
    await others[0]?.read(ids);
    const readMs = Math.round(performance.now() - asked);
    const killed = performance.now();
    first.kill();
    let found = 0;
    let fewest = ids.length;
    while (found < ids.length) {
      found = (await others[0]?.read(ids)) ?? 0;
      fewest = Math.min(fewest, found);
    }
    const seconds = Math.round((performance.now() - killed) / 100) / 10;
    console.log(
      JSON.stringify({
        edges: count,
        copies,
        of: ids.length,
        readMs,
        killed: 1,
        fewestFound: fewest,
        secondsUntilAll: seconds,
      }),
    );
  }
  for (const edge of edges) edge.kill();
  rmSync(folder, { recursive: true, force: true });
}

async function measureAll(tasks: number): Promise<void> {
  const { brokers } = await theStack();
  const topic = `bench.task-status.${randomUUID().slice(0, 8)}`;
  const ids = await writeStatuses(brokers, topic, tasks);
  await measure(brokers, topic, ids, { count: 1, kind: 'whole' });
  for (const count of [1, 2, 4]) await measure(brokers, topic, ids, { count, kind: 'sharded' });
  for (const count of [2, 4]) await measure(brokers, topic, ids, { count, kind: 'sharded', copies: 2 });
  await stopTheStack();
}

/** The other end of `Edge`. */
function serveEdge(): void {
  process.once('message', (options: ViewOptions) => {
    const health = createHealth();
    const readBefore = bytesRead();
    void startView(options, health.condition('statuses')).then(async (view) => {
      while (!health.readiness().ready) await sleep(20);
      process.on('message', (question: Question) => {
        if (question.kind === 'cost') process.send?.(costOf(options.folder, readBefore));
        else void countFound(view, question.ids).then((found) => process.send?.(found));
      });
      process.send?.('ready');
    });
  });
}

async function startView(
  { brokers, topic, folder, port, kind, copies, groupId, secret }: ViewOptions,
  condition: ReturnType<ReturnType<typeof createHealth>['condition']>,
): Promise<StatusView> {
  const common = {
    folder,
    retentionMs: 7 * 86_400_000,
    topic: { ...taskStatus, name: topic },
    codec: statusCodec(),
    kafka: { brokers, security: plaintext, clientId: 'bench', logger: silentLogger },
    condition,
    metrics: createMetrics(),
  };
  if (kind === 'whole') return startStatusView(common);
  return startShardedStatusView({
    ...common,
    groupId,
    sessionTimeoutMs: 10_000,
    config: readConfig(shardingConfig, {
      STATUS_VIEW: 'sharded',
      STATUS_VIEW_COPIES: String(copies),
      EDGE_PEER_PORT: String(port),
      EDGE_PEER_URL: `http://127.0.0.1:${port}`,
      EDGE_PEER_SECRET: secret,
    }),
    certificate: { certificate: '', key: '', variables: ['', ''] },
    fatal: (error) => {
      throw error;
    },
  });
}

function costOf(folder: string, readBefore: number): Cost {
  globalThis.gc?.();
  const status = readFileSync('/proc/self/status', 'utf8');
  const mebibytes = (field: string): number =>
    Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1]) / 1024;
  return {
    heapMiB: process.memoryUsage().heapUsed / mebibyte,
    anonymousMiB: mebibytes('RssAnon'),
    residentMiB: mebibytes('VmRSS'),
    diskMiB: bytesUnder(folder) / mebibyte,
    readMiB: (bytesRead() - readBefore) / mebibyte,
  };
}

function bytesRead(): number {
  return Number(/^rchar: (\d+)/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1]);
}

function bytesUnder(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(folder, name)))
    .reduce((sum, found) => sum + (found.isFile() ? found.blocks * 512 : 0), 0);
}

async function countFound(view: StatusView, ids: readonly string[]): Promise<number> {
  const answers = await Promise.allSettled(ids.map(async (id) => view.read(id, benchWorkspace)));
  if (answers.some((each) => each.status === 'fulfilled' && each.value === undefined))
    throw new Error('a task that is there was said to be unknown');
  return answers.filter((each) => each.status === 'fulfilled').length;
}

if (process.argv[1] === self) {
  if (process.argv[2] === 'edge') serveEdge();
  else await measureAll(Number(process.argv[2] ?? 100_000));
}
