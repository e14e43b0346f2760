/** An entry of integration.json, as every part that reads the file knows it: two may even have the same address. */
export interface NotedEntry {
  /** From 0, in the file's order. */
  readonly place: number;
  readonly url: string;
}

/** What parts know of a cluster that its capabilities should say, by the entry that both were told of. */
export interface Notes {
  /** Replaces what one part said of an entry; nothing is left where it says nothing. */
  say(entry: NotedEntry, notes: readonly string[]): void;
  of(entry: NotedEntry): readonly string[];
}

export function createNotes(): Notes {
  const said = new Map<string, readonly string[]>();
  const nameOf = ({ place, url }: NotedEntry): string => `${place} ${url}`;
  return {
    say(entry, notes) {
      if (notes.length === 0) said.delete(nameOf(entry));
      else said.set(nameOf(entry), notes);
    },
    of: (entry) => said.get(nameOf(entry)) ?? [],
  };
}
