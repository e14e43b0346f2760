import type { ApiKey } from '../schemas/generated/api-key.js';
import { avro, compact, topic } from './topic.js';

/** API keys: hashes, scopes and expiry. Small, and read whole by every edge. */
export const apiKeys = topic({
  name: 'access.api-keys',
  key: 'key id',
  value: avro<ApiKey>('api-key'),
  partitions: 1,
  cleanup: compact(),
  owner: 'cli, http-edge',
});
