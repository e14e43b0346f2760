import type { EncodedRecord } from '../produce/records.js';

/** Records that must be appended once, however often and wherever the same call arrives. */
export interface IdempotentAppend<Entry> {
  /**
   * The same for all calls that may be repeats of each other: it decides which transactional id they share, and so
   * which callers fence each other.
   */
  readonly group: string;
  /** Its own id first, then the ids under which an earlier call may have been appended. */
  readonly ids: readonly string[];
  /** The entry that a repeat will find. */
  readonly entry: Entry;
  readonly records: readonly EncodedRecord[];
}

export type IdempotentAppendResult<Entry> =
  { readonly kind: 'appended' } | { readonly kind: 'found'; readonly entry: Entry };
