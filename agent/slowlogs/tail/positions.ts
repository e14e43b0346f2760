import type { LogPaths } from './discover.js';

/** How far one file has been read. */
export interface Position {
  /** Bytes before compression. */
  readonly offset: number;
  /** When it was last seen, milliseconds since 1970: files that have been missing for long are forgotten. */
  readonly seenAt: number;
  /**
   * The state of a compressed file when it was read as far as possible; `problem` is the diagnostic if that
   * was not its end.
   */
  readonly asRead?:
    { readonly size: number; readonly changedAt: number; readonly problem: string | null } | undefined;
}

/**
 * The offset in a file that is not read any further: it was compressed before the agent came, or another file
 * also has its rest.
 */
export const wholly = Number.MAX_SAFE_INTEGER;

export interface ClusterNamed {
  readonly uuid: string;
  readonly name: string | null;
}

/** What must be stored of one cluster's logs to take every entry once, also after a restart. */
export interface TailState {
  /** The cluster's last known identity: while the cluster is down, its logs are found by its name. */
  readonly cluster: ClusterNamed | null;
  /** When its logs were first looked at, milliseconds since 1970: files that were compressed before are history. */
  readonly since: number | null;
  /** By identity. Everything before a position has been put, or was permanently omitted. */
  readonly positions: Readonly<Record<string, Position>>;
  /** Ids of entries after the positions that have been put already. */
  readonly taken: readonly string[];
  /** Where its logs were last looked for; null before that. */
  readonly places: LogPaths | null;
  /** Since when no endpoint leads to it and none of its files exists, milliseconds since 1970; else null. */
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

/** A file that has been missing for this long does not come back. */
export const forgottenAfterMs = 30 * 86_400_000;

/** Without files that have been missing for a month. */
export function withoutForgotten(positions: TailState['positions'], now: number): TailState['positions'] {
  return Object.fromEntries(
    Object.entries(positions).filter(([, { seenAt }]) => now - seenAt < forgottenAfterMs),
  );
}
