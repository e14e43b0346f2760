/** What parts know of a cluster that its capabilities should say, by the endpoint that both were told of. */
export interface Notes {
  /** Replaces what one part said of an endpoint. */
  say(endpoint: string, notes: readonly string[]): void;
  of(endpoint: string): readonly string[];
}

export function createNotes(): Notes {
  const said = new Map<string, readonly string[]>();
  return {
    say: (endpoint, notes) => void said.set(endpoint, notes),
    of: (endpoint) => said.get(endpoint) ?? [],
  };
}
