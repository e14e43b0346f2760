/** When the newest of each kind is from, milliseconds since 1970; null where a workspace has none. */
export interface Newest {
  readonly results: number | null;
  readonly events: number | null;
  readonly spans: number | null;
}

/** Looks for the newest of each kind, whatever its age. Rejects as the readers of each kind do. */
export interface NewestReader {
  read(workspace: string): Promise<Newest>;
}
