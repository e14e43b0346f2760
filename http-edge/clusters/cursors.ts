import { hash } from 'node:crypto';

/**
 * How the positions of a list are encoded. A cursor starts with the list's letter, so no other list accepts
 * it. To clients a cursor is opaque.
 */
export interface CursorForm<Position> {
  /** Undefined if the text is not a cursor of this list. */
  read(text: string): Position | undefined;
  write(position: Position): string;
}

/**
 * The positions of a filtered list. The list with another filter, or with none, rejects them, because they
 * would point elsewhere in it.
 */
export function ofFiltered<Position>(form: CursorForm<Position>, filter: object): CursorForm<Position> {
  const text = JSON.stringify(filter);
  if (text === '{}') return form;
  const mark = `-f${hash('sha256', text, 'hex').slice(0, 8)}`;
  return {
    read: (cursor) => (cursor.endsWith(mark) ? form.read(cursor.slice(0, -mark.length)) : undefined),
    write: (position) => form.write(position) + mark,
  };
}

/** A position in a snapshot: `offset` rows come before it. The rows of a snapshot never change. */
export interface InSnapshot {
  /** The snapshot's slot, in milliseconds since 1970. */
  readonly slot: number;
  readonly offset: number;
}

const furthestOffset = 1_000_000;

const inSnapshotOf = (letter: string): CursorForm<InSnapshot> => {
  const form = new RegExp(`^${letter}-(\\d{1,15})-(\\d{1,7})$`);
  return {
    read(text) {
      const [, slot, offset] = form.exec(text) ?? [];
      const isOne = slot !== undefined && Number(offset) <= furthestOffset;
      return isOne ? { slot: Number(slot), offset: Number(offset) } : undefined;
    },
    write: ({ slot, offset }) => `${letter}-${slot}-${offset}`,
  };
};

/** The cursor form of each list. */
export const inSnapshot = {
  nodes: inSnapshotOf('n'),
  indices: inSnapshotOf('i'),
  shards: inSnapshotOf('s'),
  tasks: inSnapshotOf('t'),
  recoveries: inSnapshotOf('r'),
  data_streams: inSnapshotOf('d'),
} as const;

/** The position after one score of a cluster. */
export interface AfterScore {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The offset of its record: it distinguishes scores with the same timestamp. */
  readonly offset: number;
}

export const afterScore: CursorForm<AfterScore> = {
  read(text) {
    const [, at, offset] = /^h-(\d{1,15})-(\d{1,15})$/.exec(text) ?? [];
    return at === undefined ? undefined : { at: Number(at), offset: Number(offset) };
  },
  write: ({ at, offset }) => `h-${at}-${offset}`,
};

/** The position after one slow-log entry. */
export interface AfterEntry {
  /** Microseconds since 1970. */
  readonly at: number;
  readonly id: string;
  /** How long it took, in microseconds; present if the slowest come first. */
  readonly took?: number;
}

export const afterEntry: CursorForm<AfterEntry> = {
  read(text) {
    const [, at, id, took] = /^o-(\d{1,16})-([0-9a-f]{32})(?:-(\d{1,15}))?$/.exec(text) ?? [];
    return at === undefined || id === undefined || !Number.isSafeInteger(Number(at))
      ? undefined
      : { at: Number(at), id, ...(took !== undefined && { took: Number(took) }) };
  },
  write: ({ at, id, took }) => `o-${at}-${id}${took === undefined ? '' : `-${took}`}`,
};

/** The position after one cluster of the workspace. */
export interface AfterCluster {
  readonly uuid: string;
}

export const afterCluster: CursorForm<AfterCluster> = {
  read(text) {
    const [, uuid] = /^c-([\w-]{1,64})$/.exec(text) ?? [];
    return uuid === undefined ? undefined : { uuid };
  },
  write: ({ uuid }) => `c-${uuid}`,
};
