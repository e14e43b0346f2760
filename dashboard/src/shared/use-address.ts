import { useCallback, useMemo } from 'react';
import { useLocation, useSearch } from 'wouter';
import { changedSearch, keptHref } from './address.js';
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
  const search = useSearch();
  const [path, navigate] = useLocation();
  const set = useCallback(
    (values: Readonly<Record<string, string>>, how?: { readonly replace: boolean }) => {
      // Of the browser: what was set a moment ago is there already.
      const after = changedSearch(location.search, values);
      if (after !== undefined) navigate(after === '' ? path : `${path}?${after}`, how);
    },
    [navigate, path],
  );
  return useMemo(() => {
    const params = new URLSearchParams(search);
    return {
      range: rangeOf(params),
      zone: zoneOf(params.get('tz')) ?? storedZone(),
      get: (name) => params.get(name) ?? '',
      set,
      setRange: (range) => set(searchOf(range)),
    };
  }, [search, set]);
}

/** What makes of an address one that keeps the range and the zone of this page. */
export function useKeptHref(): (href: string) => string {
  const search = useSearch();
  return useCallback((href) => keptHref(href, search), [search]);
}
