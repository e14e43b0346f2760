import assert from 'node:assert/strict';
import fc from 'fast-check';
import { mostWindows, windowsOf } from '../../../../runtime/embedding/windows.js';

const range = (length: number): number[] => Array.from({ length }, (_, index) => index);

describe('windows of a text', () => {
  it('are one for a text that fits, and one for an empty text', () => {
    assert.deepEqual(windowsOf([]), [[]]);
    assert.deepEqual(windowsOf(range(254)), [range(254)]);
  });

  it('are at most half as large in a longer text, and nearly equal, so no short tail has the same weight', () => {
    assert.deepEqual(
      windowsOf(range(255)).map(({ length }) => length),
      [85, 85, 85],
    );
  });

  it('hold every piece once, in order, and never more than the model takes', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 300 }), fc.integer({ min: 4, max: 50 }), (pieces, most) => {
        const windows = windowsOf(pieces, most);
        assert.deepEqual(windows.flat(), pieces);
        assert.ok(windows.every(({ length }) => length <= (windows.length === 1 ? most : most / 2)));
        const sizes = windows.map(({ length }) => length);
        assert.ok(Math.max(...sizes) - Math.min(...sizes) <= 1);
      }),
    );
  });

  it('of a text beyond the bound are taken from both its ends', () => {
    const pieces = range(1000);
    const windows = windowsOf(pieces, 4);
    assert.equal(windows.length, mostWindows);
    assert.deepEqual(windows.flat(), [...pieces.slice(0, 200), ...pieces.slice(800)]);
  });
});
