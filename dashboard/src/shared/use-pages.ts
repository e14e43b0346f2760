import { cursorName } from './address.js';
import { useAddress } from './use-address.js';

/** Which page of a list is shown. */
export interface Pages {
  /** Undefined on the first page. */
  readonly cursor: string | undefined;
  readonly isFirst: boolean;
  readonly onNext: (cursor: string) => void;
  readonly onFirst: () => void;
}

/** A list that comes in pages; the address has the one that is shown, so that a link and the back button find it. */
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
