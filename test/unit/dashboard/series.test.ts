import assert from 'node:assert/strict';
import { gapsIn, loneIndices, unfinishedPart, withGaps } from '../../../dashboard/src/shared/series.js';

describe('a series as the chart draws it', () => {
  it('has a null wherever nothing is known, and never undefined or NaN, which the chart would bridge', () => {
    const { values } = withGaps(
      [1, null, undefined, Number.NaN, Number.POSITIVE_INFINITY, 0].map((value, at) => ({ at, value })),
      10,
    );
    assert.deepEqual(values, [1, null, null, null, null, 0]);
  });

  it('breaks where two samples are further apart than the longest normal distance', () => {
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

  it('names the stretches without a sample, at the edges of the range too', () => {
    assert.deepEqual(gapsIn([130, 120, 500], [0, 600], 60_000), [
      { from: 0, to: 120 },
      { from: 130, to: 500 },
      { from: 500, to: 600 },
    ]);
    assert.deepEqual(gapsIn([], [0, 600], 60_000), [{ from: 0, to: 600 }]);
  });

  it('marks the line to a sample whose interval has not ended', () => {
    const minute = (at: number): string => new Date(at * 60_000).toISOString();
    const now = { from: minute(0), to: minute(3), isOngoing: true };
    const over = { ...now, isOngoing: false };
    const times = [0, 60, 120];
    assert.deepEqual(unfinishedPart(times, [1, 2, 3], 60_000, now), [1, 2]);
    assert.equal(unfinishedPart(times, [1, 2, 3], 60_000, over), undefined);
    assert.deepEqual(unfinishedPart(times, [1, 2, 3], 90_000, over), [1, 2]);
    assert.equal(unfinishedPart(times, [1, 2, null], 60_000, now), undefined);
    assert.equal(unfinishedPart(times, [1, null, 3], 60_000, now), undefined);
    assert.deepEqual(unfinishedPart(times, [1, undefined, 3], 60_000, now), [0, 2]);
    assert.equal(unfinishedPart([], [], 60_000, now), undefined);
  });

  it('shows a lone sample as a point, but not one with only another line’s samples around it', () => {
    assert.deepEqual(loneIndices([1, null, 2, 3, null, 0]), [0, 5]);
    assert.deepEqual(loneIndices([null, 4, undefined, null]), [1]);
    assert.deepEqual(loneIndices([4, undefined, 5, undefined]), []);
    assert.deepEqual(loneIndices([]), []);
  });
});
