import type { Pipeline } from '../test/support/pipeline.js';
import { inParallel, taskClient } from '../test/support/task-client.js';
import type { FiguresComparison } from './comparison.js';
import { openTwoHopFloor } from './floors/two-hop.js';
import { quantileOf } from './steady-load.js';

export interface RealtimeBench {
  readonly comparisons: readonly FiguresComparison[];
  stop(): Promise<void>;
}

const metrics = '/api/v1/monitoring/metrics';
const text = 'The harbour was calm, the ferry was late, and nobody at the desk knew why. '.repeat(4).trim();
const tasksPerSecond = 200;
const secondsEach = 6;

/**
 * Real-time text-metrics over HTTP, through the whole pipeline, while tasks go through the other lane.
 * Compared with a bare two-hop round trip through the same broker, with a transaction in the middle and the
 * same load of tasks.
 */
export async function openRealtimeBench(pipeline: Pipeline, pairs = 3): Promise<RealtimeBench> {
  const floor = await openTwoHopFloor(pipeline.stack.brokers);
  const client = taskClient(pipeline.edge.url, pipeline.key, 128);
  const background = pacedTasks(client.submit);
  const quantiles = (sorted: readonly number[]): readonly number[] => [
    quantileOf(sorted, 0.5),
    quantileOf(sorted, 0.99),
  ];
  return {
    comparisons: [1, 8, 64].map((callers) => ({
      pairs,
      floorName: 'bare kafkajs, two hops, a transaction in the middle',
      figures: (['p50', 'p99'] as const).map((quantile) => ({
        name: `real-time text-metrics, ${quantile}, ${callers} connections, ${tasksPerSecond} tasks/s beside`,
        unit: 'ms',
        target: { atMost: 2 },
      })),
      ours: async () => quantiles(await calls(pipeline, callers)),
      floor: async () => quantiles(await floor.roundTrips(callers, secondsEach * 1_000, text.length)),
    })),
    async stop() {
      await background.stop();
      client.close();
      await floor.stop();
    },
  };
}

/** Round trips in milliseconds, sorted: each caller sends again as soon as it has its answer. */
async function calls({ edge, key }: Pipeline, callers: number): Promise<readonly number[]> {
  const until = performance.now() + secondsEach * 1_000;
  const trips: number[] = [];
  const client = taskClient(edge.url, key, callers);
  await inParallel(callers, callers, async () => {
    while (performance.now() < until) {
      const began = performance.now();
      const { code } = await client.post(`${metrics}/text-metrics`, { prompt: text });
      if (code !== 200) throw new Error(`a real-time call was answered ${code}`);
      trips.push(performance.now() - began);
    }
  });
  client.close();
  return trips.sort((a, b) => a - b);
}

/** Submits tasks at a steady rate until it is stopped. */
function pacedTasks(submit: ReturnType<typeof taskClient>['submit']) {
  let stopped = false;
  const began = performance.now();
  let sent = 0;
  const running = new Set<Promise<unknown>>();
  const timer = setInterval(() => {
    const due = ((performance.now() - began) / 1_000) * tasksPerSecond;
    for (; sent < due && !stopped; sent++) {
      const attempt = submit(`${metrics}/text-metrics/task`, { prompt: `${text} ${sent}` });
      running.add(attempt);
      void attempt.finally(() => running.delete(attempt));
    }
  }, 5);
  return {
    async stop(): Promise<void> {
      stopped = true;
      clearInterval(timer);
      await Promise.all(running);
    },
  };
}
