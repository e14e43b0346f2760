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
  /** Texts that are left for the JSON beside them, but for what was begun before that was there. */
  readonly duplicates: readonly LogFile[];
  /** Whether something could not be looked at: what was not found may be there then. */
  readonly hidden: boolean;
  readonly state: Pick<TailState, 'positions' | 'taken'>;
  /** When these logs were first looked at, milliseconds since 1970. */
  readonly since: number;
  readonly minDurationMs: number;
  readonly maxEntries: number;
  /** The cluster's; entries of another one, whose logs lie beside, are passed over. */
  readonly clusterUuid: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export interface Collected {
  /** The slowest, no more than wanted, in the order of their time. */
  readonly operations: readonly TakenOperation[];
  readonly positions: TailState['positions'];
  /** Where it began in the files that it has met for the first time. */
  readonly begun: TailState['positions'];
  /** Of those that were taken before, the ones that may still lie behind the positions. */
  readonly taken: readonly string[];
  /** Whether every file that can be there was read as far as it can be. */
  readonly isComplete: boolean;
  /** Whether it ended for its bounds: the rest can be read at once. */
  readonly endedEarly: boolean;
  /** Entries that were passed over, by why. */
  readonly leftOut: Readonly<
    Record<'over_limit' | 'too_short' | 'too_old' | 'other_cluster' | 'unreadable', number>
  >;
  readonly diagnostics: readonly string[];
}
