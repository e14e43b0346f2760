/**
 * An entry of integration.json, as every component that reads the file identifies it: two entries can even
 * have the same address.
 */
export interface IntegrationEntry {
  /** From 0, in the file's order. */
  readonly index: number;
  readonly url: string;
}

/** Components' diagnostics for a cluster's capabilities, by the entry that writer and reader share. */
export interface Diagnostics {
  /**
   * Replaces a component's diagnostics for an entry. `cluster` is the UUID of the cluster that the messages
   * are about, or null if it is unknown. It can be known while nothing answers at the entry's address.
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
