import type { ClusterOf } from '../cluster-reader.js';
import { isKnown } from './sections.js';
import { ofCluster, type Store } from './store.js';

/** Whether any data of the cluster has arrived, even if only slow-log entries. */
export async function hasAnyData(store: Store, of: ClusterOf): Promise<boolean> {
  if (await isKnown(store, of)) return true;
  const found = await store.query(
    `SELECT 1 AS found FROM telltale.slow_operations WHERE ${ofCluster} LIMIT 1`,
    { ...of },
  );
  return found.length > 0;
}
