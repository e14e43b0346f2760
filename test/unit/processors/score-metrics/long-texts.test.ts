import assert from 'node:assert/strict';
import { besideLongTexts, longTextsIn } from '../../../../processors/score-metrics/long-texts.js';
import type { ScoringJob, ScoringPool } from '../../../../processors/score-metrics/scoring-job.js';

const long = 'x'.repeat(10_001);
const job = (id: string, prompt = 'short'): ScoringJob => ({
  id,
  workspace: 'w',
  metric: 'all',
  prompt,
  response: null,
});

/** Answers each job with its id, once it is let go. */
function poolOf(name: string) {
  const under = new Set<string>();
  const release: (() => void)[] = [];
  const pool: ScoringPool = {
    async score(jobs) {
      for (const { id } of jobs) under.add(id);
      await new Promise<void>((resolve) => release.push(resolve));
      for (const { id } of jobs) under.delete(id);
      return jobs.map(({ id }) => ({ ok: false, reason: `${name}: ${id}` }));
    },
    stop: () => Promise.resolve(),
  };
  const letGo = async (): Promise<void> => {
    release.splice(0).forEach((go) => go());
    await new Promise(setImmediate);
  };
  return { pool, under, letGo };
}

describe('long texts', () => {
  it('are scored beside the short ones, and answered in the places of their jobs', async () => {
    const [shorts, longs] = [poolOf('short'), poolOf('long')];
    const scored = besideLongTexts(shorts.pool, longs.pool).score([job('a'), job('b', long), job('c')]);
    await Promise.all([shorts.letGo(), longs.letGo()]);
    assert.deepEqual(
      (await scored).map((result) => !result.ok && result.reason),
      ['short: a', 'long: b', 'short: c'],
    );
  });

  it('leave a thread of several to the short ones', async () => {
    const { pool, under, letGo } = poolOf('tasks');
    const scored = longTextsIn(pool, 2).score([job('a', long), job('b', long), job('c', long)]);
    for (const id of ['a', 'b', 'c']) {
      await new Promise(setImmediate);
      assert.deepEqual([...under], [id]);
      await letGo();
    }
    assert.equal((await scored).length, 3);
  });
});
