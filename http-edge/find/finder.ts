/**
 * Finds where something of a workspace is. Rejects with the code of an outage while a server that must be
 * asked is down.
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
  /** The time from which everything that was searched is kept; null if that is unknown. */
  readonly not_seen_since: string | null;
  /** False if the time ran out before everything was searched. */
  readonly complete: boolean;
}
