import assert from 'node:assert/strict';
import { turnLength } from '../../../../../processors/score-metrics/overflow/turn-length.js';

describe('the length of a turn', () => {
  it('includes all jobs if they take little time', () => {
    assert.equal(turnLength(Array<number>(100).fill(1)), 100);
  });

  it('ends before a job that would make it too long', () => {
    assert.equal(turnLength([200, 200, 200, 1]), 2);
  });

  it('is one job if that takes longer than a turn', () => {
    assert.equal(turnLength([20_000, 1]), 1);
  });
});
