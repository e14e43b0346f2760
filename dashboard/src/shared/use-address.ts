import { useCallback, useMemo } from 'react';
import { useSearch, useSearchParams } from 'wouter';
import type { Zone } from './format.js';
import { rangeOf, searchOf, type TimeRange } from './time-range.js';
import { storedZone, zoneOf } from './zone.js';

/** What a page shows, as its address has it: so that a link or the back button brings the same view. */
export interface Address {
  readonly range: TimeRange;
  readonly zone: Zone;
  readonly get: (name: string) => string;
  /** Empty values leave the address. With `replace`, the back button does not come back to what was there before. */
  readonly set: (values: Readonly<Record<string, string>>, how?: { readonly replace: boolean }) => void;
  readonly setRange: (range: TimeRange) => void;
}

export function useAddress(): Address {
  const [search, setSearch] = useSearchParams();
  const set = useCallback(
    (values: Readonly<Record<string, string>>, how?: { readonly replace: boolean }) => {
      setSearch((before) => {
        const after = new URLSearchParams(before);
        for (const [name, value] of Object.entries(values)) {
          if (value === '') after.delete(name);
          else after.set(name, value);
        }
        return after;
      }, how);
    },
    [setSearch],
  );
  return useMemo(
    () => ({
      range: rangeOf(search),
      zone: zoneOf(search.get('tz')) ?? storedZone(),
      get: (name) => search.get(name) ?? '',
      set,
      setRange: (range) => set({ last: '', from: '', to: '', ...searchOf(range) }),
    }),
    [search, set],
  );
}

/** Names in an address that mean the same on every page. */
const shared = ['last', 'from', 'to', 'tz'];

/** What of the address a link to another page takes along: the range and the zone, as `?…`, or nothing. */
export function useKeptSearch(): string {
  const search = new URLSearchParams(useSearch());
  const kept = new URLSearchParams([...search].filter(([name]) => shared.includes(name))).toString();
  return kept === '' ? '' : `?${kept}`;
}
