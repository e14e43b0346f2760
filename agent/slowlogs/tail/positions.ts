import type { LogPaths } from './discover.js';

/** How far one file has been read. */
export interface Position {
  /** Bytes before compression. */
  readonly offset: number;
  /** When it was seen last, milliseconds since 1970: what is gone for long is forgotten. */
  readonly seenAt: number;
  /** A compressed file as it was when it was read as far as it can be; with a diagnostic, where that was not its end. */
  readonly asRead?:
    { readonly size: number; readonly changedAt: number; readonly problem: string | null } | undefined;
}

/** The offset in a file that is not read on: it was compressed before the agent came, or its rest is in another as well. */
export const wholly = Number.MAX_SAFE_INTEGER;

export interface ClusterNamed {
  readonly uuid: string;
  readonly name: string | null;
}

/** What must be known of one cluster's logs after a restart to take every entry once. */
export interface TailState {
  /** Who the cluster is, as it said last: its logs are found by its name while it is away. */
  readonly cluster: ClusterNamed | null;
  /** When its logs were first looked at, milliseconds since 1970: what was compressed before is history. */
  readonly since: number | null;
  /** By identity. What is before a position has been handed over, or was left out for good. */
  readonly positions: Readonly<Record<string, Position>>;
  /** Ids of entries behind the positions that have been handed over already. */
  readonly taken: readonly string[];
  /** Where its logs were looked for last; null where an earlier version did, which kept it nowhere. */
  readonly places: LogPaths | null;
  /** Since when nobody asks for it and none of the files it knows is there, milliseconds since 1970; null: not so. */
  readonly leftAt: number | null;
}

export const emptyTail: TailState = {
  cluster: null,
  since: null,
  positions: {},
  taken: [],
  places: null,
  leftAt: null,
};

/** What is gone for so long does not come back. */
export const forgottenAfterMs = 30 * 86_400_000;

/** Without files that have been gone for a month. */
export function withoutForgotten(positions: TailState['positions'], now: number): TailState['positions'] {
  return Object.fromEntries(
    Object.entries(positions).filter(([, { seenAt }]) => now - seenAt < forgottenAfterMs),
  );
}
