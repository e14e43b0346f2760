import type { ApiKey } from '../schemas/generated/api-key.js';
import type { KeyUse } from '../schemas/generated/key-use.js';
import { avro, compact, topic } from './topic.js';

/** When each API key was last used: edges need not know it at once. */
export const keyUses = topic({
  name: 'access.key-uses',
  key: 'key id',
  value: avro<KeyUse>('key-use'),
  partitions: 1,
  cleanup: compact(),
  owner: 'http-edge',
});

/** API keys: hashes, scopes and expiry. Small, and read whole by every edge. */
export const apiKeys = topic({
  name: 'access.api-keys',
  key: 'key id',
  value: avro<ApiKey>('api-key'),
  partitions: 1,
  cleanup: compact(),
  owner: 'cli, http-edge',
});
