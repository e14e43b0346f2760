export type Status = 'ok' | 'warn' | 'bad' | 'unknown';

/** The status of a search cluster, by Elasticsearch's name of its health. */
export function healthStatus(health: string | null): Status {
  return health === 'green' ? 'ok' : health === 'yellow' ? 'warn' : health === 'red' ? 'bad' : 'unknown';
}
