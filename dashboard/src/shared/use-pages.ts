import { cursorName } from './address.js';
import { useAddress } from './use-address.js';

/** The page of a list that is shown. */
export interface Pages {
  /** Undefined on the first page. */
  readonly cursor: string | undefined;
  readonly isFirst: boolean;
  readonly onNext: (cursor: string) => void;
  readonly onFirst: () => void;
}

/** A paged list. Its current page is in the address, so that a link and the back button restore it. */
export function usePages(): Pages {
  const { get, set } = useAddress();
  const cursor = get(cursorName) === '' ? undefined : get(cursorName);
  return {
    cursor,
    isFirst: cursor === undefined,
    onNext: (next) => set({ [cursorName]: next }),
    onFirst: () => set({ [cursorName]: '' }),
  };
}
