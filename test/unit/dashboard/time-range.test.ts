import assert from 'node:assert/strict';
import { boundsOf, frozen, rangeOf, searchOf } from '../../../dashboard/src/shared/time-range.js';

const now = Date.UTC(2026, 0, 2, 12);

describe('the time range of a page', () => {
  it('is what the address says, and the last day where it says nothing that can be read', () => {
    assert.deepEqual(rangeOf(new URLSearchParams('last=6h')), { kind: 'last', minutes: 360 });
    assert.deepEqual(rangeOf(new URLSearchParams('')), { kind: 'last', minutes: 1_440 });
    for (const bad of ['last=0m', 'last=-1h', 'last=9999d', 'last=<b>', 'from=2026-01-02&to=2026-01-01'])
      assert.deepEqual(rangeOf(new URLSearchParams(bad)), { kind: 'last', minutes: 1_440 }, bad);
  });

  it('comes back from the address that it makes', () => {
    for (const range of [
      { kind: 'last', minutes: 15 } as const,
      { kind: 'last', minutes: 90 } as const,
      frozen({ kind: 'last', minutes: 60 }, now),
    ])
      assert.deepEqual(rangeOf(new URLSearchParams(searchOf(range))), range);
  });

  it('stands still once it is frozen', () => {
    const range = frozen({ kind: 'last', minutes: 60 }, now);
    assert.deepEqual(boundsOf(range, now + 1), {
      from: '2026-01-02T11:00:00.000Z',
      to: '2026-01-02T12:00:00.000Z',
    });
  });
});
