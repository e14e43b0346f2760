import assert from 'node:assert/strict';
import { nextRestart, standardPolicy } from '../../../../cli/dev/restarts.js';

describe('the restart of a role', () => {
  const delays = (count: number): number[] =>
    Array.from({ length: count }, (_, i) => nextRestart(i, 0).delayMs);

  it('waits twice as long after each failure, up to a bound', () => {
    assert.deepEqual(delays(8), [250, 500, 1000, 2000, 4000, 8000, 10_000, 10_000]);
  });

  it('waits for the shortest time again after a healthy run', () => {
    assert.deepEqual(nextRestart(7, standardPolicy.healthyMs), {
      failures: 1,
      delayMs: 250,
      crashLoop: false,
    });
  });

  it('is a crash loop after several unhealthy runs in a row, not before', () => {
    assert.deepEqual(
      [0, 1, 2, 3, 4, 5].map((failures) => nextRestart(failures, 0).crashLoop),
      [false, false, false, false, true, true],
    );
  });
});
