import assert from 'node:assert/strict';
import { splitBetween } from '../../../../processors/score-metrics/split-pool.js';
import {
  isLong,
  type ScoringJob,
  type ScoringPool,
} from '../../../../processors/score-metrics/scoring-job.js';

const long = 'x'.repeat(10_001);
const job = (id: string, prompt = 'short'): ScoringJob => ({
  id,
  workspace: 'w',
  metric: 'all',
  prompt,
  response: null,
});

/** Answers each job with its name and the job's id once `begun` resolves. */
function poolOf(name: string, begun: () => Promise<void>): ScoringPool {
  return {
    async score(jobs) {
      await begun();
      return jobs.map(({ id }) => ({ ok: false, reason: `${name}: ${id}` }));
    },
    stop: () => Promise.resolve(),
  };
}

describe('two pools', () => {
  it('score at the same time, and return results in the order of the jobs', async () => {
    let begin: () => void = () => undefined;
    const both = new Promise<void>((resolve) => (begin = resolve));
    let begun = 0;
    const meet = (): Promise<void> => {
      begun += 1;
      if (begun === 2) begin();
      return both;
    };
    const pool = splitBetween(poolOf('short', meet), (one) => !isLong(one), poolOf('long', meet));
    const results = await pool.score([job('a'), job('b', long), job('c')]);
    assert.deepEqual(
      results.map((result) => !result.ok && result.reason),
      ['short: a', 'long: b', 'short: c'],
    );
  });
});
