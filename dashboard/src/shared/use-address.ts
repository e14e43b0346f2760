import { useCallback, useMemo } from 'react';
import { useLocation, useSearch } from 'wouter';
import { changedSearch, keptHref, pausedName } from './address.js';
import type { Zone } from './format.js';
import { rangeOf, searchOf, type TimeRange } from './time-range.js';
import { storedZone, zoneOf } from './zone.js';

/** The state of a page, kept in its address, so that a link or the back button restores the same view. */
export interface Address {
  readonly range: TimeRange;
  readonly zone: Zone;
  readonly isPaused: boolean;
  readonly get: (name: string) => string;
  /** Empty values are removed from the address. With `replace`, the back button skips the former address. */
  readonly set: (values: Readonly<Record<string, string>>, how?: { readonly replace: boolean }) => void;
  readonly setRange: (range: TimeRange) => void;
}

export function useAddress(): Address {
  const search = useSearch();
  const [path, navigate] = useLocation();
  const set = useCallback(
    (values: Readonly<Record<string, string>>, how?: { readonly replace: boolean }) => {
      // The browser's search, because it already contains values that were just set.
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
      isPaused: params.has(pausedName),
      get: (name) => params.get(name) ?? '',
      set,
      setRange: (range) => set(searchOf(range)),
    };
  }, [search, set]);
}

/** Returns a function that adds the range and the zone of this page to an address. */
export function useKeptHref(): (href: string) => string {
  const search = useSearch();
  return useCallback((href) => keptHref(href, search), [search]);
}
