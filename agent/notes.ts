/** An entry of integration.json, as every part that reads the file knows it: two may even have the same address. */
export interface NotedEntry {
  /** From 0, in the file's order. */
  readonly place: number;
  readonly url: string;
}

/** What parts know of a cluster that its capabilities should say, by the entry that both were told of. */
export interface Notes {
  /**
   * Replaces what one part said of an entry. `cluster` is the UUID of the one that the notes are of, where that is known:
   * it may be while nobody answers at the entry's address.
   */
  say(entry: NotedEntry, notes: readonly string[], cluster: string | null): void;
  /** Takes back what was said of an entry. */
  forget(entry: NotedEntry): void;
  of(entry: NotedEntry): EntryNotes;
}

export interface EntryNotes {
  readonly notes: readonly string[];
  readonly cluster: string | null;
}

const nothing: EntryNotes = { notes: [], cluster: null };

export function createNotes(): Notes {
  const said = new Map<string, EntryNotes>();
  const nameOf = ({ place, url }: NotedEntry): string => `${place} ${url}`;
  return {
    say: (entry, notes, cluster) => void said.set(nameOf(entry), { notes, cluster }),
    forget: (entry) => void said.delete(nameOf(entry)),
    of: (entry) => said.get(nameOf(entry)) ?? nothing,
  };
}
