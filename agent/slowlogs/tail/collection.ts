import type { LoggedOperation } from '../parse/logged-operation.js';
import type { LogFile } from './log-file.js';
import type { TailState } from './positions.js';

/** An operation with the id of its entry. */
export interface TakenOperation {
  readonly id: string;
  readonly operation: LoggedOperation;
}

export interface CollectOptions {
  readonly files: readonly LogFile[];
  /**
   * Text logs that are not read because of the JSON next to them, except what was begun before that existed.
   */
  readonly duplicates: readonly LogFile[];
  /** Whether something could not be looked at: a file that was not found might be there. */
  readonly hidden: boolean;
  readonly state: Pick<TailState, 'positions' | 'taken'>;
  /** When these logs were first looked at, milliseconds since 1970. */
  readonly since: number;
  readonly minDurationMs: number;
  readonly maxEntries: number;
  /** The cluster's UUID; entries of another cluster in the same directory are skipped. */
  readonly clusterUuid: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export interface Collected {
  /** The slowest, at most as many as wanted, in the order of their time. */
  readonly operations: readonly TakenOperation[];
  readonly positions: TailState['positions'];
  /** The start positions in the files that were read for the first time. */
  readonly begun: TailState['positions'];
  /** The ids among the taken ones whose entries can still come after the positions. */
  readonly taken: readonly string[];
  /** Whether every file that can be there was read as far as possible. */
  readonly isComplete: boolean;
  /** Whether it ended at its limits: the rest can be read at once. */
  readonly endedEarly: boolean;
  /** Entries that were skipped, by reason. */
  readonly leftOut: Readonly<
    Record<'over_limit' | 'too_short' | 'too_old' | 'other_cluster' | 'unreadable', number>
  >;
  readonly diagnostics: readonly string[];
}
