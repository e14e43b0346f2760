import type { ClusterSnapshot } from '../schemas/generated/cluster-snapshot.js';
import type { HotThreads } from '../schemas/generated/hot-threads.js';
import type { SlowOperation } from '../schemas/generated/slow-operation.js';
import { avro, compactAndDeleteAfter, deleteAfter, topic } from './topic.js';

/**
 * What agents have collected from search clusters, one section per record. Keyed by the cluster's UUID, so
 * that its snapshots stay in order, and one reader sees them all.
 */
export const clusterSnapshots = topic({
  name: 'clusters.snapshots',
  key: 'cluster uuid',
  value: avro<ClusterSnapshot>('cluster-snapshot'),
  partitions: 6,
  cleanup: deleteAfter({ days: 7 }),
  owner: 'http-edge',
});

/**
 * Entries of slow logs, scrubbed on their hosts. Keyed by cluster, so that a cluster's entries stay in order.
 */
export const slowOperations = topic({
  name: 'clusters.slow-operations',
  key: 'cluster uuid',
  value: avro<SlowOperation>('slow-operation'),
  partitions: 3,
  cleanup: deleteAfter({ days: 7 }),
  owner: 'http-edge',
});

/** The last request for each cluster's hot threads, and its answer, which is useful only for a short time. */
export const hotThreads = topic({
  name: 'clusters.hot-threads',
  key: 'workspace/cluster uuid',
  value: avro<HotThreads>('hot-threads'),
  partitions: 1,
  cleanup: compactAndDeleteAfter({ days: 1 }),
  owner: 'http-edge',
});
