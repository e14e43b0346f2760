export type Status = 'ok' | 'warn' | 'bad' | 'unknown';

/** Of a search cluster: how Elasticsearch names its health. */
export function healthStatus(health: string | null): Status {
  return health === 'green' ? 'ok' : health === 'yellow' ? 'warn' : health === 'red' ? 'bad' : 'unknown';
}
