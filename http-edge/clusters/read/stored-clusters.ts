import type { ClusterReader } from '../cluster-reader.js';
import { readDataStreams } from './data-streams.js';
import { readHealth } from './health.js';
import { readList } from './lists.js';
import { readCluster, readClusters, readStanding } from './overview.js';
import { readSeries } from './series.js';
import { readSlowOperation, readSlowOperations } from './slow-operations.js';
import { readSlowSummary } from './slow-summary.js';
import type { Store } from './store.js';
import { readTimeline } from './timeline.js';
import { readUnassigned } from './unassigned.js';

/** Reads clusters from ClickHouse as a read-only user. `clock`: milliseconds since 1970. */
export function storedClusters(store: Store, clock: () => number): ClusterReader {
  return {
    clusters: (workspace, page) => readClusters(store, workspace, page, clock()),
    cluster: (of) => readCluster(store, of, clock()),
    health: async (of, page, range) => {
      const read = await readHealth(store, of, page, range);
      return read && { ...read, ...(await readStanding(store, of, clock())) };
    },
    list: (of, list, page, filter) => readList(store, of, list, page, filter, clock()),
    dataStreams: (of, page) => readDataStreams(store, of, page, clock()),
    unassigned: (of) => readUnassigned(store, of, clock()),
    timeline: (of, range) => readTimeline(store, of, range),
    series: (of, range, query) => readSeries(store, of, range, query),
    slowOperations: (of, page, query) => readSlowOperations(store, of, page, query),
    slowOperation: (of, id) => readSlowOperation(store, of, id),
    slowSummary: (of, range, filter) => readSlowSummary(store, of, range, filter),
  };
}
