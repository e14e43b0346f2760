export type Status = 'ok' | 'warn' | 'bad' | 'unknown';

/** A status, with the reason for it and what to do. */
export interface Verdict {
  readonly status: Status;
  readonly word: string;
  /** Null if all is well. */
  readonly reason: string | null;
}

/** The status of a search cluster, by Elasticsearch's name of its health. */
export function healthStatus(health: string | null): Status {
  return health === 'green' ? 'ok' : health === 'yellow' ? 'warn' : health === 'red' ? 'bad' : 'unknown';
}
