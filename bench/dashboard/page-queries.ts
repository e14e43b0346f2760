import type { Pipeline } from '../../test/support/pipeline.js';
import { besideConstant, type ComparisonResult } from '../comparison.js';
import { percentile } from './percentile.js';
import { traceIdOf } from './volumes.js';

const times = 20;
const longestMs = 300;

interface Question {
  readonly page: string;
  /** The requests of the page, by the path behind /api/v1/. */
  readonly path: string;
}

/** As long as Home looks back for what has ever arrived. */
const monthMs = 30 * 86_400_000;
const sinceAMonth = `from=${encodeURIComponent(new Date(Date.now() - monthMs).toISOString())}`;

const questions: readonly Question[] = [
  { page: 'when the last came, where a range has nothing', path: 'newest' },
  { page: 'home, what failed', path: 'results?outcome=failed&limit=100' },
  { page: 'home, whether a prompt came', path: `results?limit=1&${sinceAMonth}` },
  { page: 'home, whether an event came', path: `events?limit=1&${sinceAMonth}` },
  { page: 'home, whether a trace came', path: `traces?limit=1&${sinceAMonth}` },
  { page: 'latency of prompts', path: 'results/hop-times' },
  { page: 'results', path: 'results?limit=100' },
  { page: 'results that contain a word', path: 'results?contains=harbour&limit=100' },
  { page: 'the trend of a score', path: 'results/trends' },
  { page: 'applications', path: 'applications' },
  { page: 'operations of an application', path: 'applications/operations?application=service-1' },
  { page: 'the map of calls', path: 'applications/calls' },
  { page: 'traces', path: 'traces?spans=roots&limit=100' },
  {
    page: 'traces of an application that failed',
    path: 'traces?spans=roots&application=service-1&status=error&limit=100',
  },
  { page: 'traces by an attribute', path: 'traces?spans=all&attribute=shelf%3D7&limit=100' },
  { page: 'the heat map of traces', path: 'traces/durations?spans=roots' },
  { page: 'a trace', path: `traces/${traceIdOf(1_000)}` },
  { page: 'events', path: 'events?limit=200' },
  { page: 'a metric of events', path: 'events/series?metric=metric-2' },
];

/**
 * Sends the requests of each page for a day with these volumes twenty times: the 95th percentile of the answer times at
 * the edge, and that of the slowest request.
 */
export async function measurePageQueries(
  { edge, key }: Pipeline,
  volumes: string,
  say: (line: string) => void,
): Promise<ComparisonResult> {
  const slowest: number[] = [];
  for (const { page, path } of questions) {
    const ask = async (): Promise<number> => {
      const begin = performance.now();
      const answer = await fetch(`${edge.url}/api/v1/${path}`, {
        headers: { authorization: `Bearer ${key}` },
      });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
      return performance.now() - begin;
    };
    for (let warm = 0; warm < 2; warm += 1) await ask();
    const taken: number[] = [];
    for (let time = 0; time < times; time += 1) taken.push(await ask());
    const p95 = percentile(taken, 0.95);
    say(`   ${page}: median ${percentile(taken, 0.5).toFixed(0)} ms, p95 ${p95.toFixed(0)} ms`);
    slowest.push(p95);
  }
  return besideConstant({
    name: `what a page asks, p95 of ${times}, the slowest of ${questions.length} (${volumes})`,
    ...{ unit: 'ms', ours: Math.max(...slowest), floorName: 'what it may take', floor: longestMs },
    target: { atMost: 1 },
  });
}
