import type { IndexSnapshot } from '../../../schemas/snapshots/index-section.js';
import type { Snapshot, SnapshotOf } from '../../../schemas/snapshots.js';
import type { At, ClusterTotals, IndexMemory } from '../memory/cluster-memory.js';
import { growthPerSecond } from './counters.js';
import { intervalOf, type Gap, type Interval } from './interval.js';

/*
 * Documents and sizes are sums over shards. A shard that is on no node is in no sum: if a node is killed,
 * both shrink although no document was deleted. So growth needs two answers about the same shards.
 */

const notComparable = 'shards moved or a node restarted';

export function indexGrowth(before: IndexMemory | undefined, index: IndexSnapshot, takenAt: number) {
  const interval = intervalSince(before?.at, takenAt, indexGap(before, index));
  const grown = (then: number | null | undefined, now: number | null): number | null =>
    'seconds' in interval ? growthPerSecond(then, now, interval.seconds) : null;
  const figures = {
    docs_growth_per_second: grown(before?.docs, index.docs_count),
    store_growth_bytes_per_second: grown(before?.store, index.store_bytes),
    primary_store_growth_bytes_per_second: grown(before?.primaryStore, index.primary_store_bytes),
  };
  return { ...figures, growth_gap: gapOf(interval, Object.values(figures)) };
}

function indexGap(before: IndexMemory | undefined, index: IndexSnapshot): Gap | undefined {
  if (before === undefined) return 'first snapshot';
  if (before.uuid === null || index.uuid === null) return 'incarnation unknown';
  if (before.uuid !== index.uuid) return 'recreated';
  if (before.health === 'red' || index.health === 'red') return 'primaries missing';
  if (before.incarnation !== null && index.incarnation !== null && before.incarnation !== index.incarnation) {
    return notComparable;
  }
  // The nodes of a merely listed index are unknown; copies that come or go change its health or replicas.
  return before.health === index.health && before.replicas === index.replicas ? undefined : notComparable;
}

/** Growth of the sums that the cluster itself computes over all of its nodes. */
export function clusterGrowth(
  { partial, taken_at: takenAt, body }: SnapshotOf<'cluster_stats'>,
  before: At<ClusterTotals> | undefined,
) {
  const now = totalsOf(body);
  const interval = intervalSince(before?.at, takenAt, clusterGap(before?.value, now, partial));
  const grown = (sum: 'docs' | 'store'): number | null =>
    'seconds' in interval ? growthPerSecond(before?.value[sum], now[sum], interval.seconds) : null;
  const figures = { docs_growth_per_second: grown('docs'), store_growth_bytes_per_second: grown('store') };
  return { ...figures, growth_gap: gapOf(interval, Object.values(figures)) };
}

export function totalsOf(body: SnapshotOf<'cluster_stats'>['body']): ClusterTotals {
  const { docs_count: docs, store_bytes: store, nodes, shards, primaries } = body;
  return { docs, store, nodes, shards, primaries };
}

function clusterGap(
  before: ClusterTotals | undefined,
  now: ClusterTotals,
  partial: boolean,
): Gap | undefined {
  if (before === undefined) return 'first snapshot';
  if (partial) return 'nodes did not answer';
  const same = (['nodes', 'shards', 'primaries'] as const).every((count) => before[count] === now[count]);
  return same ? undefined : 'nodes or shards came or went';
}

function intervalSince(
  before: Snapshot['taken_at'] | undefined,
  now: number,
  gap: Gap | undefined,
): Interval {
  return gap === undefined && before !== undefined
    ? intervalOf(before, now)
    : { gap: gap ?? 'first snapshot' };
}

function gapOf(interval: Interval, figures: readonly (number | null)[]): Gap | null {
  if ('gap' in interval) return interval.gap;
  return figures.every((figure) => figure === null) ? 'not measured' : null;
}
