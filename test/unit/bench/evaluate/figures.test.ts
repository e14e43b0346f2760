import assert from 'node:assert/strict';
import fc from 'fast-check';
import { areaUnderCurve, rankCorrelation } from '../../../../bench/evaluate/figures.js';

describe('figures of an evaluation', () => {
  it('are 1 for a perfect order, 0 for its reverse, a half for ties', () => {
    const rows = (...scores: number[]) => scores.map((score, index) => ({ score, label: index >= 2 }));
    assert.equal(areaUnderCurve(rows(1, 2, 3, 4)), 1);
    assert.equal(areaUnderCurve(rows(4, 3, 2, 1)), 0);
    assert.equal(areaUnderCurve(rows(1, 1, 1, 1)), 0.5);
    assert.equal(areaUnderCurve(rows(1, 3, 2, 4)), 0.75);
  });

  it('depend on the order only: an increasing function of the values changes nothing', () => {
    const values = fc.uniqueArray(fc.integer({ min: -1000, max: 1000 }), { minLength: 3, maxLength: 30 });
    fc.assert(
      fc.property(values, (left) => {
        const right = left.map((_, index) => (index * 7) % left.length);
        const grown = left.map((value) => value ** 3 + value);
        assert.equal(rankCorrelation(grown, right), rankCorrelation(left, right));
        assert.ok(Math.abs(rankCorrelation(left, grown) - 1) < 1e-12);
      }),
    );
  });
});
