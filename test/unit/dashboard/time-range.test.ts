import assert from 'node:assert/strict';
import { changedSearch } from '../../../dashboard/src/shared/address.js';
import { fieldOf, rangeOfFields } from '../../../dashboard/src/shared/range-fields.js';
import {
  boundsOf,
  endingWith,
  followed,
  frozen,
  isTooLong,
  rangeOf,
  searchOf,
} from '../../../dashboard/src/shared/time-range.js';

const mistakeOf = (...fields: Parameters<typeof rangeOfFields>): string => {
  const read = rangeOfFields(...fields);
  return 'mistake' in read ? read.mistake : '';
};
const now = Date.UTC(2026, 0, 2, 12);

describe('the time range of a page', () => {
  it('is what the address says, or the last day if the address has no valid range', () => {
    assert.deepEqual(rangeOf(new URLSearchParams('last=6h')), { kind: 'last', minutes: 360 });
    assert.deepEqual(rangeOf(new URLSearchParams('')), { kind: 'last', minutes: 1_440 });
    for (const bad of ['last=0m', 'last=-1h', 'last=9999d', 'last=<b>', 'from=2026-01-02&to=2026-01-01'])
      assert.deepEqual(rangeOf(new URLSearchParams(bad)), { kind: 'last', minutes: 1_440 }, bad);
  });

  it('is read back unchanged from the address that it makes', () => {
    for (const range of [
      { kind: 'last', minutes: 15 } as const,
      { kind: 'last', minutes: 90 } as const,
      frozen({ kind: 'last', minutes: 60 }, now),
    ])
      assert.deepEqual(rangeOf(new URLSearchParams(searchOf(range))), range);
  });

  it('keeps its length when it is moved to a moment, and contains that moment', () => {
    const at = now - 90 * 86_400_000;
    assert.deepEqual(endingWith({ kind: 'last', minutes: 60 }, at), {
      kind: 'fixed',
      from: '2025-10-04T11:01:00.000Z',
      to: '2025-10-04T12:01:00.000Z',
    });
    const fixed = { kind: 'fixed', from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' } as const;
    const moved = boundsOf(endingWith(fixed, at), now);
    assert.equal(Date.parse(moved.to) - Date.parse(moved.from), 86_400_000);
  });

  it('stands still once it is frozen', () => {
    const range = frozen({ kind: 'last', minutes: 60 }, now);
    assert.deepEqual(boundsOf(range, now + 1), {
      from: '2026-01-02T11:00:00.000Z',
      to: '2026-01-02T12:00:00.000Z',
    });
  });

  it('has its former length when it is followed again after it was frozen', () => {
    const search = changedSearch('?last=15m', searchOf(frozen({ kind: 'last', minutes: 15 }, now))) ?? '';
    const held = new URLSearchParams(search);
    assert.equal(rangeOf(held).kind, 'fixed');
    const again = followed(held.get('last'));
    assert.deepEqual(again, { kind: 'last', minutes: 15 });
    assert.equal(changedSearch(search, searchOf(again)), 'last=15m');
  });

  it('is typed in the zone of the page, and is read back from the fields unchanged', () => {
    const range = frozen({ kind: 'last', minutes: 60 }, now);
    assert.equal(fieldOf('2026-01-02T11:00:00.000Z', 'utc'), '2026-01-02T11:00:00');
    for (const zone of ['utc', 'local'] as const) {
      const { from, to } = boundsOf(range, now);
      assert.deepEqual(rangeOfFields(fieldOf(from, zone), fieldOf(to, zone), zone), range);
    }
    assert.match(mistakeOf('', '2026-01-02T11:00', 'utc'), /both/);
    assert.match(mistakeOf('2026-01-02T11:00', '2026-01-02T11:00', 'utc'), /after it begins/);
    assert.match(mistakeOf('2026-01-01T00:00', '2026-03-01T00:00', 'utc'), /31 days/);
  });

  it('says if it is longer than what can be read', () => {
    assert.equal(isTooLong({ kind: 'fixed', from: '2026-01-01', to: '2026-02-01' }), false);
    assert.equal(isTooLong({ kind: 'fixed', from: '2026-01-01', to: '2026-02-02' }), true);
  });
});
