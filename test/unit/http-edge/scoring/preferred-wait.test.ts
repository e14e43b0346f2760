import assert from 'node:assert/strict';
import { preferredWait } from '../../../../http-edge/scoring/preferred-wait.js';

const standard = 30_000;

describe('Prefer: wait', () => {
  for (const [header, ms] of [
    ['wait=5', 5_000],
    ['WAIT=5', 5_000],
    ['respond-async, wait=10', 10_000],
    ['wait="3"; foo', 3_000],
    ['wait=0', 0],
    ['wait=0.25', 250],
    ['wait=3600', standard],
  ] as const)
    it(`\`${header}\` waits ${ms} ms`, () => {
      assert.deepEqual(preferredWait(header, standard), { ms, asked: true });
    });

  for (const header of [undefined, '', 'wait', 'wait=', 'wait=-1', 'wait=abc', 'await=5', 'wait=5x'])
    it(`\`${header ?? 'nothing'}\` is no preference`, () => {
      assert.deepEqual(preferredWait(header, standard), { ms: standard, asked: false });
    });
});
