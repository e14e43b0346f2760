import type { Pipeline } from '../../test/support/pipeline.js';
import { besideConstant, type ComparisonResult } from '../comparison.js';
import { percentile } from './percentile.js';
import { questionsOf, slow, type Stored } from './questions.js';

const times = 20;
const longestMs = 300;

/**
 * Sends each request of the pages twenty times, for a day with these volumes. Takes the 95th percentile of
 * its answer times at the edge; the result is that of the slowest request.
 */
export async function measurePageQueries(
  pipeline: Pipeline,
  workspace: string,
  volumes: string,
  say: (line: string) => void,
): Promise<ComparisonResult> {
  const slowest: number[] = [];
  const questions = questionsOf(await storedIn(pipeline, workspace));
  for (const { page, path } of questions) {
    const timed = async (): Promise<number> => {
      const begin = performance.now();
      await ask(pipeline, path);
      return performance.now() - begin;
    };
    for (let warm = 0; warm < 2; warm += 1) await timed();
    const taken: number[] = [];
    for (let time = 0; time < times; time += 1) taken.push(await timed());
    const p95 = percentile(taken, 0.95);
    say(`   ${page}: median ${percentile(taken, 0.5).toFixed(0)} ms, p95 ${p95.toFixed(0)} ms`);
    slowest.push(p95);
  }
  return besideConstant({
    name: `what a page asks, p95 of ${times}, the slowest question (${volumes})`,
    ...{ unit: 'ms', ours: Math.max(...slowest), floorName: 'what it may take', floor: longestMs },
    target: { atMost: 1 },
  });
}

async function ask({ edge, key }: Pipeline, path: string): Promise<string> {
  const answer = await fetch(`${edge.url}/api/v1/${path}`, { headers: { authorization: `Bearer ${key}` } });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
  return text;
}

async function storedIn(pipeline: Pipeline, workspace: string): Promise<Stored> {
  const [scored] = await pipeline.query<{ readonly result: string; readonly key: string }>(
    `SELECT toString(task_id) AS result, key_id AS key FROM telltale.scoring_results WHERE workspace = '${workspace}' LIMIT 1`,
  );
  const of = async <Body>(path: string): Promise<Body> =>
    JSON.parse(await ask(pipeline, `${slow}${path}`)) as Body;
  const [operation] = (await of<{ slow_operations: { id: string }[] }>('?limit=1')).slow_operations;
  const [group] = (await of<{ groups: { fingerprint: string }[] }>('/summary')).groups;
  if (scored === undefined || operation === undefined || group === undefined)
    throw new Error('nothing is stored that the questions name');
  return { ...scored, operation: operation.id, shape: group.fingerprint };
}
