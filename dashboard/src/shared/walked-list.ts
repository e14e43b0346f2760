import { useEffect } from 'react';
import { useSearch } from 'wouter';
import { changedSearch, cursorName } from './address.js';
import { placeIn } from './place-in.js';

/** A list as it was last seen. */
interface WalkedList {
  /** Its filter and its range, as in its address. */
  readonly search: string;
  /** The address of each row, in order. */
  readonly hrefs: readonly string[];
  /** The cursor of its next page; null if this page is the last. */
  readonly more: string | null;
  /** The index of the row that was opened last. */
  here?: number;
}

const lists = new Map<string, WalkedList>();

/** Records the rows of the list at this path, so that each row's page can link to the next. */
export function useWalkedList(path: string, hrefs: readonly string[], more: string | null = null): void {
  const search = useSearch();
  useEffect(() => {
    lists.set(path, { search, hrefs, more });
  });
}

export interface Neighbours {
  readonly back: string;
  readonly previous: string | undefined;
  readonly next: string | undefined;
  /** The list's next page; undefined if this page is the last. */
  readonly nextPage: string | undefined;
}

/** The neighbours of an address in the list at this path; none if it is not in the list. */
export function neighboursOf(path: string, address: string): Neighbours {
  const list = lists.get(path);
  const { hrefs = [], more = null } = list ?? {};
  // Without the former time zone: links add the current one.
  const former = list?.search ?? '';
  const search = changedSearch(former, { tz: '' }) ?? former;
  const here = placeIn(hrefs, address, list?.here);
  if (list !== undefined) list.here = here;
  const at = (index: number): string | undefined => (here === -1 ? undefined : hrefs[index]);
  return {
    back: search === '' ? path : `${path}?${search}`,
    previous: at(here - 1),
    next: at(here + 1),
    nextPage:
      here === -1 || more === null
        ? undefined
        : `${path}?${changedSearch(search, { [cursorName]: more }) ?? search}`,
  };
}
