/**
 * Finds where something of a workspace is. Rejects with the code of an outage while a server that has to be asked is
 * away.
 */
export interface Finder {
  find(id: string, workspace: string): Promise<FoundThing>;
}

/** What was found, ready to be sent. */
interface FoundThing {
  /** `not seen`, or where it is. */
  readonly outcome: string;
  /** The outcome in words. */
  readonly detail: string;
  /** Since when everything is kept that was looked through; null where that is unknown. */
  readonly not_seen_since: string | null;
  /** False where the time ran out before everything was searched. */
  readonly complete: boolean;
}
