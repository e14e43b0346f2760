import type { ClusterOf } from '../cluster-reader.js';
import { isKnown, lastSnapshot } from './sections.js';
import { isStale } from './staleness.js';
import { iso, isoOfMillis, ofCluster, type Store, type StoredRow } from './store.js';

/** Unassigned shards of the last whole snapshot by their cause, with the explanation and what to do; primaries first. */
export async function readUnassigned(
  store: Store,
  of: ClusterOf,
  nowMs: number,
): Promise<object | undefined> {
  const snapshot = await lastSnapshot(store, of, 'shards', 'cluster_shards', undefined);
  if (snapshot === undefined && !(await isKnown(store, of))) return undefined;
  if (snapshot === undefined) return { cluster_uuid: of.uuid, as_of: null, stale: true, groups: [] };
  const rows = await store.query<StoredRow>(
    `SELECT unassigned_reason AS reason, can_allocate, recommendation_code AS code, any(recommendation) AS advice,
        any(explanation) AS said, count() AS shards, countIf(\`primary\`) AS primaries, uniqExact(\`index\`) AS all_indices,
        arraySort(groupUniqArray(10)(\`index\`)) AS indices, toString(min(unassigned_at)) AS since,
        max(failed_attempts) AS failed
     FROM telltale.cluster_shards
     WHERE ${ofCluster} AND slot = fromUnixTimestamp64Milli({slot:Int64}) AND state = 'UNASSIGNED'
     GROUP BY reason, can_allocate, code
     ORDER BY primaries DESC, shards DESC, reason, code`,
    { ...of, slot: snapshot.slot },
  );
  return {
    cluster_uuid: of.uuid,
    as_of: isoOfMillis(snapshot.slot),
    stale: isStale('shards', snapshot.slot, snapshot.intervalSeconds, nowMs),
    groups: rows.map((row) => ({
      reason: row['reason'] ?? null,
      can_allocate: row['can_allocate'] ?? null,
      recommendation_code: row['code'] ?? null,
      recommendation: row['advice'] ?? null,
      explanation: row['said'] ?? null,
      shards: Number(row['shards']),
      primaries: Number(row['primaries']),
      index_count: Number(row['all_indices']),
      indices: row['indices'],
      since: iso(row['since']),
      failed_attempts: row['failed'] ?? null,
    })),
  };
}
