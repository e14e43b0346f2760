/** The time of the newest of each kind, in milliseconds since 1970; null if a workspace has none. */
export interface Newest {
  readonly results: number | null;
  readonly events: number | null;
  readonly spans: number | null;
}

/** Looks for the newest of each kind, whatever its age. Rejects as the readers of each kind do. */
export interface NewestReader {
  read(workspace: string): Promise<Newest>;
}
