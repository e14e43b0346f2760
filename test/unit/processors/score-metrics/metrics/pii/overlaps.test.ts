import assert from 'node:assert/strict';
import type { PiiSpan } from '../../../../../../processors/score-metrics/metrics/pii/entities.js';
import { withoutOverlaps } from '../../../../../../processors/score-metrics/metrics/pii/overlaps.js';

const span = (start: number, end: number, score: number): PiiSpan => ({ type: 'URL', start, end, score });

describe('spans that overlap', () => {
  it('give way to the better score', () => {
    assert.deepEqual(withoutOverlaps([span(0, 9, 0.4), span(2, 4, 0.9)], 10), [span(2, 4, 0.9)]);
  });

  it('give way to the longer at the same score', () => {
    assert.deepEqual(withoutOverlaps([span(0, 3, 0.4), span(2, 9, 0.4)], 10), [span(2, 9, 0.4)]);
  });

  it('stay when they only touch, in the order of the text', () => {
    assert.deepEqual(withoutOverlaps([span(3, 6, 0.9), span(0, 3, 0.4)], 10), [
      span(0, 3, 0.4),
      span(3, 6, 0.9),
    ]);
  });
});
