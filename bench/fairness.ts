import { setTimeout as sleep } from 'node:timers/promises';
import type { Pipeline } from '../test/support/pipeline.js';
import { inParallel, taskClient, type TaskClient } from '../test/support/task-client.js';
import type { ComparisonResult } from './comparison.js';
import { besideConstant } from './comparison.js';
import { paced, quantileOf, sortedTimes, timeOfCall } from './steady-load.js';

const metrics = '/api/v1/monitoring/metrics';
const sentence = 'The harbour was calm, the ferry was late, and nobody at the desk knew why. ';
const body = { prompt: sentence.repeat(20).trim() };
/** Metrics that embed the text, so that scoring the flood costs processor time, and not receiving it. */
const flooding = `${metrics}/task`;
const quietly = `${metrics}/text-metrics/task`;
const sampleSeconds = 20;
const tasksPerSecond = 10;
const callsPerSecond = 5;
/** A task that is not done by then counts as this long. */
const patienceMs = 60_000;

interface Sample {
  /** Milliseconds from the POST of a task to its result, sorted. */
  readonly tasks: readonly number[];
  /** Milliseconds of a real-time call, sorted. */
  readonly calls: readonly number[];
}

/**
 * How long a workspace with 10 tasks and 5 calls per second waits while another submits three times as many
 * tasks as are scored, compared with its wait alone.
 */
export async function measureFairness(
  pipeline: Pipeline,
  noisyKey: string,
  say: (line: string) => void,
): Promise<readonly ComparisonResult[]> {
  const quiet = taskClient(pipeline.edge.url, pipeline.key, 64);
  const noisy = taskClient(pipeline.edge.url, noisyKey, 128);
  try {
    await sampleOf(quiet, 5); // warms up all parts
    const capacity = await capacityOf(noisy);
    say(`capacity: ${Math.round(capacity)} tasks a second`);
    const alone = await sampleOf(quiet, sampleSeconds);
    const flood = paced(3 * capacity, () => noisy.submit(flooding, body));
    await sleep(5_000);
    const beside = await sampleOf(quiet, sampleSeconds);
    say(`tasks alone ${quantiles(alone.tasks)}, beside the flood ${quantiles(beside.tasks)} (p50, p95)`);
    say(`calls alone ${quantiles(alone.calls)}, beside the flood ${quantiles(beside.calls)} (p50, p95)`);
    const attempts = await flood.stop();
    say(`the flood: ${attempts.length} tasks, ${countFailed(attempts)} refused`);
    return [
      ...figures('a task', alone.tasks, beside.tasks, 2),
      ...figures('a real-time call', alone.calls, beside.calls, 1.5),
    ];
  } finally {
    quiet.close();
    noisy.close();
  }
}

const quantiles = (sorted: readonly number[]): string =>
  [0.5, 0.95].map((quantile) => `${Math.round(quantileOf(sorted, quantile))} ms`).join(', ');

const countFailed = (attempts: readonly { readonly kind: string }[]): number =>
  attempts.filter(({ kind }) => kind === 'failed').length;

function figures(
  what: string,
  alone: readonly number[],
  beside: readonly number[],
  atMost: number,
): readonly ComparisonResult[] {
  return ([0.5, 0.95] as const).map((quantile) =>
    besideConstant({
      name: `${what} beside a flood of three times the capacity, p${quantile * 100}`,
      unit: 'ms',
      floorName: 'the same workspace alone',
      ours: quantileOf(beside, quantile),
      floor: quantileOf(alone, quantile),
      target: { atMost },
    }),
  );
}

async function sampleOf(client: TaskClient, seconds: number): Promise<Sample> {
  const tasks = paced(tasksPerSecond, () => timeOfTask(client));
  const calls = paced(callsPerSecond, () => timeOfCall(client, body));
  await sleep(seconds * 1_000);
  const [ofTasks, ofCalls] = await Promise.all([tasks.stop(), calls.stop()]);
  return { tasks: sortedTimes(ofTasks), calls: sortedTimes(ofCalls) };
}

async function timeOfTask(client: TaskClient): Promise<number> {
  const began = performance.now();
  const attempt = await client.submit(quietly, body);
  if (attempt.kind === 'failed') return patienceMs;
  return await untilDone(client, attempt.taskId, began);
}

/** Polls often at first, then rarely: polling for a task that waits long must not load the edge. */
async function untilDone(client: TaskClient, taskId: string, began: number): Promise<number> {
  for (;;) {
    const waited = performance.now() - began;
    if (waited > patienceMs) return patienceMs;
    const { body: found } = await client.status(taskId);
    if (found['status'] === 'processed') return performance.now() - began;
    await sleep(Math.max(5, waited / 20));
  }
}

/** The tasks per second that are scored, found by submitting a number of them at once. */
async function capacityOf(client: TaskClient): Promise<number> {
  const count = 150;
  const began = performance.now();
  const ids: string[] = [];
  await inParallel(count, 64, async () => {
    const attempt = await client.submit(flooding, body);
    if (attempt.kind === 'accepted') ids.push(attempt.taskId);
  });
  for (const id of ids) await untilDone(client, id, performance.now());
  return (count * 1_000) / (performance.now() - began);
}

/** Repeats an action this many times per second until it is stopped; `stop` returns the result of each. */
