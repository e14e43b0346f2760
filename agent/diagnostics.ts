/**
 * An entry of integration.json, by which all components that read the file identify it: two may even have the same
 * address.
 */
export interface IntegrationEntry {
  /** From 0, in the file's order. */
  readonly index: number;
  readonly url: string;
}

/** What components know of a cluster and its capabilities should report, by the entry that both read. */
export interface Diagnostics {
  /**
   * Replaces a component's diagnostics for an entry. `cluster` is the UUID of the cluster that the messages are about,
   * or null if it is unknown. It may be known while nothing answers at the entry's address.
   */
  say(entry: IntegrationEntry, messages: readonly string[], cluster: string | null): void;
  /** Removes the diagnostics of an entry. */
  forget(entry: IntegrationEntry): void;
  of(entry: IntegrationEntry): EntryDiagnostics;
}

export interface EntryDiagnostics {
  readonly messages: readonly string[];
  readonly cluster: string | null;
}

const nothing: EntryDiagnostics = { messages: [], cluster: null };

export function createDiagnostics(): Diagnostics {
  const said = new Map<string, EntryDiagnostics>();
  const nameOf = ({ index, url }: IntegrationEntry): string => `${index} ${url}`;
  return {
    say: (entry, messages, cluster) => void said.set(nameOf(entry), { messages, cluster }),
    forget: (entry) => void said.delete(nameOf(entry)),
    of: (entry) => said.get(nameOf(entry)) ?? nothing,
  };
}
