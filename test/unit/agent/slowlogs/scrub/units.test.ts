import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Units } from '../../../../../agent/slowlogs/scrub/units.js';

describe('the units of a text', () => {
  it('are those of the text, halves of pairs by themselves too', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat(0xffff), (text, half) => {
        const written = text + String.fromCharCode(half);
        const units = new Units(written);
        const read = Array.from({ length: units.length }, (_, at) => units.at(at));
        assert.deepEqual(
          read,
          Array.from({ length: written.length }, (_, at) => written.charCodeAt(at)),
        );
      }),
    );
  });

  it('are 0 before the text and behind it, however far', () => {
    const units = new Units('ab');
    assert.deepEqual(
      [-1000, -9, -8, -1, 2, 9, 10, 1000].map((at) => units.at(at)),
      [0, 0, 0, 0, 0, 0, 0, 0],
    );
  });
});
