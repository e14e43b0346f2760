import { setTimeout as sleep } from 'node:timers/promises';
import { readClusterState } from '../runtime/kafka/client/admin.js';
import { startClusterStack } from '../test/support/cluster-stack.js';
import { accessTo } from '../test/support/kafka.js';
import { standardAppends, startPipeline } from '../test/support/pipeline.js';
import { taskClient } from '../test/support/task-client.js';
import { catalogue } from '../topics/catalogue.js';

const kinds = ['tasks', 'keyed'] as const;
type Kind = (typeof kinds)[number];

const path = '/api/v1/monitoring/metrics/text-metrics/task';
const everyMs = 100;
const watchedMs = 16_000;
const restMs = 4_000;

/**
 * How long no call gets a 202 while one of three brokers is down, with ten tasks per second without a key and
 * ten with one. Each broker is killed in turn, `rounds` times in all, and is back before the next. Also, when
 * Kafka had a leader for each partition again. Run `node dist/bench/failover.js 6`.
 */
async function measureFailovers(rounds: number): Promise<void> {
  const stack = await startClusterStack();
  const pipeline = await startPipeline('failover', {
    ...{ stack, all: { KAFKA_TOPIC_REPLICATION: '3' }, edge: standardAppends },
  });
  const client = taskClient(pipeline.edge.url, pipeline.key, 64);
  const accepted: Record<Kind, number[]> = { tasks: [], keyed: [] };
  const ending = new AbortController();

  async function submit(kind: Kind, index: number): Promise<void> {
    const headers = kind === 'keyed' ? { 'idempotency-key': `k-${index}` } : {};
    while (!ending.signal.aborted) {
      const answer = await client.submit(path, { prompt: `Call ${index} is calm.` }, headers);
      if (answer.kind === 'accepted') return void accepted[kind].push(Date.now());
      await sleep(everyMs);
    }
  }
  async function load(kind: Kind): Promise<void> {
    const calls: Promise<void>[] = [];
    for (let index = 0; !ending.signal.aborted; index++) {
      calls.push(submit(kind, index));
      await sleep(everyMs);
    }
    await Promise.all(calls);
  }

  const topics = catalogue.map(({ name }) => name);
  const loads = Promise.all(kinds.map(load));
  await sleep(restMs);
  for (let round = 0; round < rounds; round++) {
    const victim = round % stack.nodes.length;
    const node = stack.nodes[victim];
    if (node?.pid === undefined) throw new Error(`broker ${victim} does not run`);
    const isController = stack.activeController((victim + 1) % stack.nodes.length) === victim;
    const killedAt = Date.now();
    process.kill(node.pid, 'SIGKILL');
    const others = stack.brokers.filter((_, index) => index !== victim);
    const leaders = untilLed(others, topics, victim + 1, killedAt);
    await sleep(watchedMs);
    const gaps = kinds.map((kind) => `${kind} ${seconds(longestGap(accepted[kind], killedAt))}`);
    console.log(
      `${isController ? 'the active controller' : 'a broker'}: Kafka ${seconds(await leaders)}, ${gaps.join(', ')}`,
    );
    await node.start();
    await stack.inSync(topics);
    await sleep(restMs);
  }
  ending.abort();
  await loads;
  client.close();
  await pipeline.stop();
  await stack.stop();
}

/** Milliseconds until every partition has a leader other than the killed broker. */
async function untilLed(
  brokers: readonly string[],
  topics: readonly string[],
  dead: number,
  killedAt: number,
): Promise<number> {
  for (;;) {
    const state = await readClusterState(accessTo(brokers), topics).catch(() => undefined);
    const led = state?.topics.every((topic) =>
      topic.partitions.every(({ leader }) => leader >= 0 && leader !== dead),
    );
    if (led === true) return Date.now() - killedAt;
    await sleep(everyMs);
  }
}

function longestGap(times: readonly number[], killedAt: number): number {
  const sorted = times.filter((time) => time > killedAt - restMs).sort((one, other) => one - other);
  return Math.max(...sorted.map((time, index) => time - (sorted[index - 1] ?? time)));
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

await measureFailovers(Number(process.argv[2] ?? 6));
