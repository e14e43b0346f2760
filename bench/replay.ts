import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { openCodec } from '../runtime/registry/codec.js';
import { connectRegistry } from '../runtime/registry/registry.js';
import { scoringRequests } from '../topics/scoring.js';
import { connectedProducer, plainKafka } from '../test/support/kafka.js';
import type { Pipeline } from '../test/support/pipeline.js';
import { runTelltale } from '../test/support/roles.js';
import { taskClient, type TaskClient } from '../test/support/task-client.js';
import { until } from '../test/support/until.js';
import {
  besideConstant,
  compareFigures,
  type ComparisonResult,
  type FiguresComparison,
} from './comparison.js';
import { paced, quantileOf, sortedTimes, timeOfCall } from './steady-load.js';

export const workspace = 'bench-replay';
const stored = 100_000;
const text = 'The harbour was calm, the ferry was late, and nobody at the desk knew why. '.repeat(4).trim();
const callsPerSecond = 40;
/** The first calls slow a running replay down, so calls are measured after this many seconds. */
const leadSeconds = 2;
const sampleSeconds = 10;
const long = 20 * 60_000;

/**
 * The latency that a replay of stored requests adds to real-time calls, and its speed on an otherwise idle
 * installation.
 */
export async function measureReplay(
  pipeline: Pipeline,
  say: (line: string) => void,
): Promise<readonly ComparisonResult[]> {
  await pipeline.processors.stop();
  await sendTasks(pipeline);
  await pipeline.processors.start();
  const live = await paceOf(pipeline, 'version = 0', stored);
  say(`live tasks: ${Math.round(live)} a second`);
  await ask(pipeline);
  const again = await paceOf(pipeline, 'version > 0', stored);
  say(`the replay: ${Math.round(again)} a second`);
  await pipeline.sinkCaughtUp();
  const client = taskClient(pipeline.edge.url, pipeline.key, 64);
  const beside = await compareFigures(callsBeside(pipeline, client), say);
  client.close();
  return [
    besideConstant({
      name: `replay of ${stored.toLocaleString('en')} stored requests, nothing beside it`,
      unit: 'requests/s',
      floorName: 'the same requests as live tasks, nothing beside them',
      ours: again,
      floor: live,
      target: { atLeast: 0.9 },
    }),
    ...beside,
  ];
}

function callsBeside(pipeline: Pipeline, client: TaskClient): FiguresComparison {
  return {
    pairs: 3,
    floorName: 'the same without a replay',
    figures: (['p50', 'p99'] as const).map((quantile) => ({
      name: `real-time text-metrics beside a replay at full speed, ${quantile}, ${callsPerSecond} calls/s`,
      unit: 'ms',
      target: quantile === 'p99' ? { atMost: 1.2 } : null,
    })),
    async ours() {
      const id = await ask(pipeline);
      await until('the replay goes on', async () => (await shown(pipeline, id)).records > 0, long);
      const found = await quantiles(client);
      await runTelltale(['replays', 'cancel', id], pipeline.environment);
      return found;
    },
    async floor() {
      await pipeline.sinkCaughtUp();
      return quantiles(client);
    },
  };
}

async function sendTasks({ stack }: Pipeline): Promise<void> {
  const codec = await openCodec(scoringRequests, connectRegistry(stack.registryConfig));
  const producer = await connectedProducer(plainKafka(stack.brokers));
  for (let sent = 0; sent < stored; sent += 1_000) {
    const messages = Array.from({ length: 1_000 }, (_, at) => {
      const request = {
        ...{
          id: randomUUID(),
          workspace,
          key_id: 'k',
          metric: 'text_metrics',
          prompt: `${text} ${sent + at}`,
        },
        ...{ response: null, deadline: null, reply_to: null, request_digest: null },
        accepted_at: Date.now() * 1_000,
      };
      return { key: request.id, value: codec.encode(request) };
    });
    await producer.send({ topic: scoringRequests.name, messages });
  }
  await producer.disconnect();
}

/** Results per second, from the first request taken to the last one scored, measured once all are stored. */
async function paceOf(pipeline: Pipeline, which: string, count: number): Promise<number> {
  let seconds = NaN;
  await until(
    `the results of ${which} are stored`,
    async () => {
      const [found] = await pipeline.query<{ results: string; seconds: number }>(
        `SELECT count() AS results, dateDiff('millisecond', min(taken_at), max(scored_at)) / 1000 AS seconds
         FROM telltale.scoring_result_versions WHERE workspace = '${workspace}' AND ${which}`,
      );
      seconds = found?.seconds ?? NaN;
      if (Number(found?.results) < count) await sleep(500);
      return Number(found?.results) >= count;
    },
    long,
  );
  return count / seconds;
}

/** Requests a replay of everything that was sent; returns its id. */
async function ask({ environment }: Pipeline): Promise<string> {
  const command = ['replay', 'scoring', '--metric', 'all', '--workspace', workspace, '--no-follow'];
  return (JSON.parse(await runTelltale(command, environment)) as { id: string }).id;
}

const shown = async ({ environment }: Pipeline, id: string): Promise<{ readonly records: number }> =>
  JSON.parse(await runTelltale(['replays', 'show', id], environment)) as { records: number };

/** Real-time calls at a steady rate: their median and 99th percentile. */
async function quantiles(client: TaskClient): Promise<readonly number[]> {
  const calls = paced(callsPerSecond, () => timeOfCall(client, { prompt: text }));
  await sleep((leadSeconds + sampleSeconds) * 1_000);
  const sorted = sortedTimes((await calls.stop()).slice(callsPerSecond * leadSeconds));
  return [0.5, 0.99].map((quantile) => quantileOf(sorted, quantile));
}
