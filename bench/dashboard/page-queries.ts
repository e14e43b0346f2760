import type { Pipeline } from '../../test/support/pipeline.js';
import { besideConstant, type ComparisonResult } from '../comparison.js';
import { seededCluster } from '../screenshots/seed-cluster.js';
import { percentile } from './percentile.js';
import { traceIdOf } from './volumes.js';

const times = 20;
const longestMs = 300;

interface Question {
  readonly page: string;
  /** The requests of the page, by the path behind /api/v1/. */
  readonly path: string;
}

const trace = traceIdOf(1_000);
const cluster = `clusters/${seededCluster}`;

const questionsOf = (result: string): readonly Question[] => [
  { page: 'home and an empty range, when the last came', path: 'newest' },
  { page: 'home, what failed', path: 'results?outcome=failed&limit=100' },
  { page: 'latency of prompts', path: 'results/hop-times' },
  { page: 'results', path: 'results?limit=100' },
  { page: 'results that contain a word', path: 'results?contains=harbour&limit=100' },
  {
    page: 'results by their score',
    path: 'results?score=prompt_sentiment_lexicon&min=0.9&limit=100',
  },
  { page: 'results by a label that none has', path: 'results?label=none&limit=100' },
  { page: 'results of a metric', path: 'results?metric=text_metrics&limit=100' },
  { page: 'results of a lane', path: 'results?lane=realtime&limit=100' },
  { page: 'a result', path: `results/${result}` },
  { page: 'the way of a result', path: `find/${result}` },
  { page: 'the trend of a score', path: 'results/trends' },
  { page: 'the trend of what contains a word', path: 'results/trends?contains=harbour' },
  { page: 'applications', path: 'applications' },
  { page: 'operations of an application', path: 'applications/operations?application=service-1' },
  { page: 'the map of calls', path: 'applications/calls' },
  { page: 'traces', path: 'traces?spans=roots&limit=100' },
  {
    page: 'traces of an application that failed',
    path: 'traces?spans=roots&application=service-1&status=error&limit=100',
  },
  { page: 'traces by an attribute', path: 'traces?spans=all&attribute=shelf%3D7&limit=100' },
  { page: 'traces by their duration', path: 'traces?spans=roots&min_ms=395&limit=100' },
  { page: 'spans of all kinds', path: 'traces?spans=all&limit=100' },
  { page: 'the heat map of traces', path: 'traces/durations?spans=roots' },
  { page: 'the heat map of all spans', path: 'traces/durations?spans=all' },
  { page: 'the heat map of an application', path: 'traces/durations?spans=roots&application=service-1' },
  {
    page: 'the heat map of spans by an attribute',
    path: 'traces/durations?spans=all&attribute=shelf%3D7',
  },
  {
    page: 'the heat map of traces by an attribute',
    path: 'traces/durations?spans=roots&attribute=shelf%3D7',
  },
  { page: 'a trace', path: `traces/${trace}` },
  { page: 'a trace as OTLP/JSON', path: `traces/${trace}/otlp` },
  { page: 'events', path: 'events?limit=200' },
  { page: 'a metric of events', path: 'events/series?metric=metric-2' },
  { page: 'clusters', path: 'clusters' },
  { page: 'a cluster', path: cluster },
  { page: 'the score of a cluster over time', path: `${cluster}/series?figure=score` },
  { page: 'the last score of a cluster', path: `${cluster}/health?limit=1` },
  { page: 'nodes', path: `${cluster}/nodes?limit=1000` },
  { page: 'nodes over time', path: `${cluster}/nodes/series?figure=fs_used_ratio` },
  { page: 'indices', path: `${cluster}/indices?limit=200` },
  { page: 'indices over time', path: `${cluster}/indices/series?figure=queries_per_second` },
  { page: 'shards', path: `${cluster}/shards?limit=200` },
  { page: 'unassigned shards', path: `${cluster}/unassigned` },
  { page: 'tasks', path: `${cluster}/tasks` },
  { page: 'tasks that wait for the master', path: `${cluster}/tasks?pending=true` },
  { page: 'recoveries', path: `${cluster}/recoveries` },
  { page: 'data streams', path: `${cluster}/data-streams` },
  { page: 'what happened to a cluster', path: `${cluster}/timeline` },
  { page: 'slow operations', path: `${cluster}/slow-operations?limit=100` },
  { page: 'slow operations, slowest first', path: `${cluster}/slow-operations?sort=slowest&limit=100` },
  { page: 'shapes of slow operations', path: `${cluster}/slow-operations/summary` },
  { page: 'the pipeline', path: 'pipeline' },
];

/**
 * Sends the requests of each page for a day with these volumes twenty times: the 95th percentile of the answer times at
 * the edge, and that of the slowest request.
 */
export async function measurePageQueries(
  pipeline: Pipeline,
  workspace: string,
  volumes: string,
  say: (line: string) => void,
): Promise<ComparisonResult> {
  const { edge, key } = pipeline;
  const slowest: number[] = [];
  const [stored] = await pipeline.query<{ id: string }>(
    `SELECT toString(task_id) AS id FROM telltale.scoring_results WHERE workspace = '${workspace}' LIMIT 1`,
  );
  const questions = questionsOf(stored?.id ?? '');
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
