/** One place and time at which something was seen on its way. */
export interface Hop {
  /** What happened: accepted, appended, taken, scored, stored, dead letter, … */
  readonly hop: string;
  /** ISO 8601; null if unknown. */
  readonly at: string | null;
  readonly topic: string | null;
  readonly partition: number | null;
  readonly offset: number | null;
  readonly table: string | null;
  /** A detail, such as a dead letter's reason. */
  readonly detail: string | null;
}

/** The result of a search: hops, and the outcome. */
export interface Found {
  readonly id: string;
  readonly kind: 'task or call' | 'trace' | 'batch' | 'idempotency key';
  readonly outcome: 'stored' | 'on its way' | 'dead letter' | 'taken' | 'not seen';
  /** The outcome in words, with what it waits for. */
  readonly detail: string;
  /** If it was not seen: the time from which the searched topics keep everything. */
  readonly not_seen_since: string | null;
  /** False if the time ran out before everything was searched. */
  readonly complete: boolean;
  readonly hops: readonly Hop[];
}

const nowhere = { at: null, topic: null, partition: null, offset: null, table: null, detail: null };

export function hopOf(hop: string, known: Partial<Omit<Hop, 'hop'>>): Hop {
  return { hop, ...nowhere, ...known };
}

export function isoOf(milliseconds: number | null | undefined): string | null {
  return milliseconds === null || milliseconds === undefined ? null : new Date(milliseconds).toISOString();
}

/** Oldest first; hops without a time keep their index. */
export function inOrder(hops: readonly Hop[]): readonly Hop[] {
  return [...hops].sort((a, b) => (a.at === null || b.at === null ? 0 : Date.parse(a.at) - Date.parse(b.at)));
}
