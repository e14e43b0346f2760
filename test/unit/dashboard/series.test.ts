import assert from 'node:assert/strict';
import { withGaps } from '../../../dashboard/src/shared/series.js';

describe('a series as the chart draws it', () => {
  it('has a null wherever nothing is known, and never undefined or NaN, which the chart would bridge', () => {
    const { values } = withGaps(
      [1, null, undefined, Number.NaN, Number.POSITIVE_INFINITY, 0].map((value, at) => ({ at, value })),
      10,
    );
    assert.deepEqual(values, [1, null, null, null, null, 0]);
  });

  it('breaks where two samples lie further apart than samples do', () => {
    const { times, values } = withGaps(
      [180_000, 0, 60_000].map((at) => ({ at, value: 5 })),
      100_000,
    );
    assert.deepEqual(values, [5, 5, null, 5]);
    assert.deepEqual(
      times,
      [...times].sort((one, other) => one - other),
    );
  });
});
