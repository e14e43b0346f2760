import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pickFreePort } from '../stack/ports.js';
import { role, roleFolder, runTelltale, stackEnvironment, type Role } from '../test/support/roles.js';
import { stopTheStack, theStack } from '../test/support/stack.js';

/**
 * The cost of tasks under Idempotency-Keys, without and with edges that own keys. 1, 2 and 4 edges get the
 * same load, or the same load each: `node dist/bench/appends-once.js [seconds]`.
 */
interface Setup {
  readonly name: string;
  readonly edges: number;
  readonly settings: Readonly<Record<string, string>>;
  readonly tasksPerSecond: number;
}

const warmUpMs = 8_000;
const path = '/api/v1/monitoring/metrics/text-sentiment/task';

async function measure(
  { name, edges: count, settings, tasksPerSecond }: Setup,
  seconds: number,
): Promise<void> {
  const stack = await theStack();
  const environment = stackEnvironment(stack);
  const folder = roleFolder(stack.folder, `appends-once-${randomUUID().slice(0, 8)}`);
  const created = await runTelltale(
    ['keys', 'create', '--workspace', 'bench', '--name', 'bench', '--scopes', 'metrics', '--json'],
    environment,
  );
  const { key } = JSON.parse(created) as { key: string };
  const secret = randomUUID() + randomUUID();
  const edges = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const port = String(await pickFreePort());
      return role({
        command: 'edge',
        portVariable: 'EDGE_PORT',
        environment: {
          ...environment,
          EDGE_PEER_PORT: port,
          EDGE_PEER_URL: `http://127.0.0.1:${port}`,
          EDGE_PEER_SECRET: secret,
          ...settings,
          TELLTALE_STATE: join(folder, String(index)),
        },
        logFile: join(folder, `${index}.log`),
      });
    }),
  );
  await Promise.all(edges.map((edge) => edge.start()));
  await send(edges, key, tasksPerSecond, warmUpMs);
  const before = await totals(edges);
  const { millis, failed } = await send(edges, key, tasksPerSecond, seconds * 1_000);
  const after = await totals(edges);
  const grown = (figure: keyof Totals): number => after[figure] - before[figure];
  millis.sort((one, other) => one - other);
  const at = (share: number): number => Math.round(millis[Math.floor(millis.length * share)] ?? 0);
  console.log(
    JSON.stringify({
      ...{ name, edges: count, tasksPerSecond, accepted: millis.length, failed },
      startedOverPer100: Math.round((grown('startedOver') / grown('appended')) * 1_000) / 10,
      handedPer100: Math.round((grown('handed') / grown('appended')) * 1_000) / 10,
      cpuMsPerTask: Math.round((grown('cpuSeconds') * 10_000) / grown('appended')) / 10,
      p50: at(0.5),
      p99: at(0.99),
    }),
  );
  await Promise.all(edges.map((edge) => edge.stop()));
}

/** Sends each task under a key of its own, to the edges in turn. */
async function send(edges: readonly Role[], key: string, tasksPerSecond: number, forMs: number) {
  const millis: number[] = [];
  let failed = 0;
  const sent: Promise<void>[] = [];
  const startedAt = performance.now();
  const count = (tasksPerSecond * forMs) / 1_000;
  for (let index = 0; index < count; index++) {
    const begun = performance.now();
    const answered = fetch(`${edges[index % edges.length]?.url}${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      },
      body: JSON.stringify({ prompt: 'What a lovely day.' }),
    }).then(async (answer) => {
      await answer.arrayBuffer();
      if (answer.status === 202) millis.push(performance.now() - begun);
      else failed++;
    });
    sent.push(answered);
    const early = startedAt + ((index + 1) * 1_000) / tasksPerSecond - performance.now();
    if (early > 0) await sleep(early);
  }
  await Promise.all(sent);
  return { millis, failed };
}

type Totals = Readonly<Record<keyof typeof series, number>>;

const series = {
  appended: 'telltale_append_once_calls_total{outcome="appended"}',
  startedOver: 'telltale_append_once_calls_total{outcome="started-over"}',
  handed: 'telltale_appends_to_owners_total{outcome="decided"}',
  cpuSeconds: 'process_cpu_seconds_total',
} as const;

/** Sums over all edges. */
async function totals(edges: readonly Role[]): Promise<Totals> {
  const texts = await Promise.all(edges.map(async ({ url }) => (await fetch(`${url}/metrics`)).text()));
  const sum = (name: string): number =>
    texts
      .flatMap((text) => text.split('\n'))
      .filter((line) => line.startsWith(`${name} `))
      .reduce((all, line) => all + Number(line.slice(name.length)), 0);
  return {
    appended: sum(series.appended),
    startedOver: sum(series.startedOver),
    handed: sum(series.handed),
    cpuSeconds: sum(series.cpuSeconds),
  };
}

const seconds = Number(process.argv[2] ?? 20);
const environment = stackEnvironment(await theStack());
await runTelltale(['topics', 'apply'], environment);
await runTelltale(['migrate'], environment);
const tasksPerSecond = 60;
for (const edges of [1, 2, 4]) {
  const each = { edges, tasksPerSecond };
  await measure(
    { ...each, name: 'edges that do not know each other', settings: { EDGE_PEER_URL: '' } },
    seconds,
  );
  await measure({ ...each, name: 'whole', settings: { STATUS_VIEW: 'whole' } }, seconds);
  await measure({ ...each, name: 'sharded', settings: { STATUS_VIEW: 'sharded' } }, seconds);
  const name = 'whole, as much for each edge';
  await measure({ edges, name, tasksPerSecond: edges * tasksPerSecond, settings: {} }, seconds);
}
await stopTheStack();
