/** How long something is kept. Null where it is kept for good, or not known: then `unknown` of the list says why. */
export interface Kept {
  readonly name: string;
  readonly days: number | null;
}

/**
 * How long topics and tables keep their data, as they are configured there. Rejects with the reason where it can't be
 * asked.
 */
export interface RetentionReader {
  topics(): Promise<readonly Kept[]>;
  tables(): Promise<readonly Kept[]>;
}
