import type { SlowOperation } from '../schemas/generated/slow-operation.js';
import { avro, deleteAfter, topic } from './topic.js';

/** Entries of slow logs, scrubbed on the hosts they come from. Keyed by cluster, so that a cluster's stay in order. */
export const slowOperations = topic({
  name: 'clusters.slow-operations',
  key: 'cluster uuid',
  value: avro<SlowOperation>('slow-operation'),
  partitions: 3,
  cleanup: deleteAfter({ days: 7 }),
  owner: 'http-edge',
});
