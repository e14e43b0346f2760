/** How long something is kept. Null where it is kept for good, or `unknown` of the whole list says why it is not known. */
export interface Kept {
  readonly name: string;
  readonly days: number | null;
}

/** How long topics and tables really keep what is in them. Rejects with the reason where it can't be asked. */
export interface RetentionReader {
  topics(): Promise<readonly Kept[]>;
  tables(): Promise<readonly Kept[]>;
}
