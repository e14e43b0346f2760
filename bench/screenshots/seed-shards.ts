export const gib = 1_073_741_824;

export interface Shard {
  readonly state: string;
  readonly primary: boolean;
  readonly [figure: string]: unknown;
}

export const unassignedIn = (shards: readonly Shard[]): readonly Shard[] =>
  shards.filter(({ state }) => state === 'UNASSIGNED');

export const primariesIn = (shards: readonly Shard[]): number =>
  shards.filter(({ primary }) => primary).length;

/** Name, size in GiB, primaries, searches per second. */
export const indices = [
  ['orders-2026.11', 41, 3, 220],
  ['catalogue', 24, 2, 640],
  ['reviews', 9, 1, 80],
  ['visits-2026.11.23', 3.2, 1, 0],
] as const;

export function indexOf(
  [index, size, primaries, rate]: (typeof indices)[number],
  minute: number,
  isLost: boolean,
): object {
  const operations = {
    ...{ queries_total: minute * 60 * rate, queries_time_ms: minute * 60 * rate * 7 },
    ...{ indexing_total: minute * 600, indexing_time_ms: minute * 1_300, docs_count: Math.round(size * 1e6) },
  };
  return {
    ...{ index, uuid: `${index}-uuid`, state: 'open', primaries, replicas: 1, incarnation: `${index}-1` },
    health: isLost ? (index === 'reviews' ? 'red' : 'yellow') : 'green',
    ...{ docs_count: Math.round(size * 1e6), docs_deleted: 120, store_bytes: size * 2 * gib },
    ...{ primary_store_bytes: size * gib, total: operations, primary: operations },
  };
}

export function shardsOf(isLost: boolean, at: number): readonly Shard[] {
  return indices.flatMap(([index, size, primaries], place) =>
    Array.from({ length: primaries * 2 }, (_, copy): Shard => {
      const of = { index, shard: copy >> 1, primary: copy % 2 === 0 };
      const isGone = isLost && (index === 'reviews' || (copy % 2 === 1 && (copy + place) % 3 === 0));
      if (isGone) return { ...of, state: 'UNASSIGNED', unassigned_reason: 'NODE_LEFT', unassigned_at: at };
      const number = 1 + ((copy + place) % (isLost ? 2 : 3));
      return {
        ...{ ...of, state: 'STARTED', node_id: `n${number}`, node: `search-${number}` },
        ...{ docs: Math.round((size * 1e6) / primaries), store_bytes: (size * gib) / primaries },
      };
    }),
  );
}

export function explanations(at: number): readonly object[] {
  const of = {
    shard: 0,
    unassigned_reason: 'NODE_LEFT',
    unassigned_at: at,
    failed_attempts: 0,
    explained_at: at,
  };
  return [
    {
      ...{ ...of, index: 'reviews', primary: true, can_allocate: 'no_valid_shard_copy', shards_in_group: 1 },
      explanation:
        'Elasticsearch can’t allocate this shard because there are no copies of its data in the cluster.',
      recommendation_code: 'restore_from_snapshot',
      recommendation:
        'Bring search-3 back: it has the only copy. Where it is lost, restore the index from a snapshot.',
    },
    {
      ...{ ...of, index: 'orders-2026.11', primary: false, can_allocate: 'no', shards_in_group: 1 },
      explanation: 'The nodes that are left hold a copy each, or are above the low watermark.',
      recommendation_code: 'add_node',
      recommendation: 'Add a data node, or bring search-3 back.',
    },
  ];
}
