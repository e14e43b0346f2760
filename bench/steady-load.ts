import type { TaskClient } from '../test/support/task-client.js';

/** Acts this many times per second until it is stopped; then returns the results, in order. */
export function paced<Result>(perSecond: number, act: () => Promise<Result>) {
  const began = performance.now();
  const started: Promise<Result>[] = [];
  const timer = setInterval(() => {
    const due = ((performance.now() - began) / 1_000) * perSecond;
    while (started.length < due) started.push(act());
  }, 5);
  return {
    stop: (): Promise<readonly Result[]> => {
      clearInterval(timer);
      return Promise.all(started);
    },
  };
}

/** Of sorted values. */
export const quantileOf = (sorted: readonly number[], quantile: number): number =>
  sorted[Math.floor(sorted.length * quantile)] ?? NaN;

export const sortedTimes = (times: readonly number[]): readonly number[] => [...times].sort((a, b) => a - b);

/** Milliseconds of a real-time call. Rejects unless the answer is a 200. */
export async function timeOfCall(client: TaskClient, body: object): Promise<number> {
  const began = performance.now();
  const { code } = await client.post('/api/v1/monitoring/metrics/text-metrics', body);
  if (code !== 200) throw new Error(`a real-time call was answered ${code}`);
  return performance.now() - began;
}
