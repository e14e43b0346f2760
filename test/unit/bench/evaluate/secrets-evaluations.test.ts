import assert from 'node:assert/strict';
import { isMet } from '../../../../bench/evaluate/evaluation.js';
import {
  evaluateOrdinary,
  evaluateVectors,
  type Measured,
} from '../../../../bench/evaluate/secrets-evaluations.js';
import type { Vector } from '../../../../bench/evaluate/secrets-measures.js';

const vector = (kind: Vector['kind'], text: string): Vector => ({ source: 'a', rule: 'b', kind, text });
const notMet = (figures: readonly Measured[]): readonly string[] =>
  figures.filter(({ evaluation }) => !isMet(evaluation)).map(({ evaluation }) => evaluation.measure);

const token = 'ghp_Zk3Qw9Xe7Rt5Yu1Io8Pa2Sd4Fg6Hj0Klabcd';

describe('the evaluation of the scrubber', () => {
  it('meets its targets if secrets are removed and look-alikes left', () => {
    assert.deepEqual(
      notMet(evaluateVectors([vector('secret', token), vector('not_secret', 'blue shoes')])),
      [],
    );
  });

  it('misses its targets if a secret is left or a look-alike is removed', () => {
    const rows = [
      ...Array.from({ length: 50 }, () => vector('secret', token)),
      vector('secret', 'hunters'),
      vector('not_secret', 'blue shoes'),
      vector('not_secret', token),
    ];
    const below = notMet(evaluateVectors(rows));
    assert.ok(below.includes('removed, in text') && below.includes('left alone'), below.join());
    assert.ok(!below.includes("removed, as a key's value"), below.join());
  });

  it('misses its target if more than two of a hundred ordinary searches are changed', () => {
    const searches = (touched: number): readonly string[] =>
      Array.from({ length: 100 }, (_, at) => `{"term":{"${at < touched ? 'password' : 'title'}":"blue"}}`);
    assert.deepEqual(notMet(evaluateOrdinary(searches(2))), []);
    assert.deepEqual(notMet(evaluateOrdinary(searches(3))), ['touched']);
  });
});
