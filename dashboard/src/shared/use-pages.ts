import { useState } from 'react';
import { useSearch } from 'wouter';

/** Which page of a list is shown. */
export interface Pages {
  /** Undefined on the first page. */
  readonly cursor: string | undefined;
  readonly isFirst: boolean;
  readonly onNext: (cursor: string) => void;
  readonly onFirst: () => void;
}

/** A list that comes in pages. A cursor is good for one filter and one range: where the address changes, the first page is back. */
export function usePages(): Pages {
  const search = useSearch();
  const [at, setAt] = useState<{ readonly cursor: string; readonly search: string }>();
  const cursor = at?.search === search ? at.cursor : undefined;
  return {
    cursor,
    isFirst: cursor === undefined,
    onNext: (next) => setAt({ cursor: next, search }),
    onFirst: () => setAt(undefined),
  };
}
