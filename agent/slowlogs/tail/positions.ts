/** How far one file has been read. */
export interface Position {
  /** Bytes before compression. */
  readonly offset: number;
  /** When it was seen last, milliseconds since 1970: what is gone for long is forgotten. */
  readonly seenAt: number;
}

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
}

export const emptyTail: TailState = { cluster: null, since: null, positions: {}, taken: [] };

const forgottenAfterMs = 30 * 86_400_000;

/** Without files that have been gone for a month. */
export function withoutForgotten(positions: TailState['positions'], now: number): TailState['positions'] {
  return Object.fromEntries(
    Object.entries(positions).filter(([, { seenAt }]) => now - seenAt < forgottenAfterMs),
  );
}
