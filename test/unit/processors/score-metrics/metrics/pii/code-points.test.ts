import assert from 'node:assert/strict';
import fc from 'fast-check';
import { codePointOffsets } from '../../../../../../processors/score-metrics/metrics/pii/code-points.js';

describe('offsets in code points', () => {
  it('are how many code points stand before the unit', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const offset = codePointOffsets(text);
        let units = 0;
        for (const [points, character] of Array.from(text).entries()) {
          assert.equal(offset(units), points);
          units += character.length;
        }
        assert.equal(offset(text.length), Array.from(text).length);
      }),
    );
  });

  it('count a lone surrogate as one', () => {
    assert.equal(codePointOffsets('\ud83d\ud83d!')(2), 2);
  });
});
