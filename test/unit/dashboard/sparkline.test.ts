import assert from 'node:assert/strict';
import { isLocale } from '../../../dashboard/src/shared/locale.js';
import { pathsOf, spread } from '../../../dashboard/src/shared/sparkline-paths.js';

describe('a sparkline', () => {
  it('breaks where nothing is known, draws a true 0, and a point where a value stands alone', () => {
    const { lines, points } = pathsOf([0, 10, null, 5, null], 124, 24);
    assert.deepEqual(lines, ['2,22 32,2']);
    assert.deepEqual(points, [{ x: 92, y: 12 }]);
    assert.deepEqual(pathsOf([], 124, 24), { lines: [], points: [] });
    assert.deepEqual(pathsOf([0, 0], 124, 24).lines, ['2,22 122,22']);
  });

  it('tells a last value that may still change from the others', () => {
    assert.deepEqual(pathsOf([0, 10, 5], 124, 24, true), {
      ...{ lines: ['2,22 62,2'], points: [] },
      unfinished: '62,2 122,12',
    });
    assert.deepEqual(pathsOf([0, null, 5, 5], 124, 24, true).points, [{ x: 2, y: 22 }]);
    assert.deepEqual(pathsOf([0, 10, null], 124, 24, true).lines, ['2,22 62,2']);
    assert.deepEqual(pathsOf([5, null, 5], 124, 24, true).points.length, 2);
  });

  it('has null for a missing step', () => {
    const points = [
      { at: '2026-01-01T00:00:00.000Z', n: 1 },
      { at: '2026-01-01T00:04:00.000Z', n: 3 },
    ];
    const range = { from: '2026-01-01T00:01:00.000Z', to: '2026-01-01T00:06:00.000Z', step_seconds: 120 };
    assert.deepEqual(
      spread(points, range, ({ n }) => n),
      [1, null, 3],
    );
  });
});

describe('the language of a browser', () => {
  it('can be one that numbers cannot be formatted in', () => {
    assert.deepEqual(['en-GB', 'de', 'en-US@posix', ''].map(isLocale), [true, true, false, false]);
  });
});
