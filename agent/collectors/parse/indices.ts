import { createHash } from 'node:crypto';
import type { IndexSnapshot } from '../../../schemas/snapshots/index-section.js';
import { amountAt, entriesAt, flagAt, listAt, textAt, valueAt } from './answer.js';
import { statusAt } from './cluster.js';
import { parseOperations } from './operations.js';

/** An index as listed: everything but its operations. */
export type ListedIndex = Omit<IndexSnapshot, 'incarnation' | 'total' | 'primary'>;

/** One row of `_cat/indices`; null if the value is not a row. */
export function parseListedIndex(row: unknown): ListedIndex | null {
  const index = textAt(row, 'index');
  return index === null ? null : listedIndex(index, row);
}

/** Largest store first; those whose size is unknown (closed, or no copy active) come last, then by name. */
export function bySize(one: ListedIndex, other: ListedIndex): number {
  return (other.store_bytes ?? -1) - (one.store_bytes ?? -1) || (one.index < other.index ? -1 : 1);
}

function listedIndex(index: string, row: unknown): ListedIndex {
  const state = textAt(row, 'status');
  return {
    index,
    uuid: textAt(row, 'uuid'),
    health: statusAt(row, 'health'),
    state: state === 'open' || state === 'close' ? state : null,
    primaries: amountAt(row, 'pri'),
    replicas: amountAt(row, 'rep'),
    docs_count: amountAt(row, 'docs.count'),
    docs_deleted: amountAt(row, 'docs.deleted'),
    store_bytes: amountAt(row, 'store.size'),
    primary_store_bytes: amountAt(row, 'pri.store.size'),
  };
}

export type IndexOperations = Pick<IndexSnapshot, 'uuid' | 'incarnation' | 'total' | 'primary'>;

/**
 * From `_stats?level=shards`, keyed by index name. `nodes` maps a node id to its incarnation; `major` is the
 * highest version among the nodes.
 */
export function parseIndexStats(
  answer: unknown,
  nodes: ReadonlyMap<string, string | null>,
  major: number | null,
): ReadonlyMap<string, IndexOperations> {
  return new Map(
    entriesAt(answer, 'indices').map(([name, index]) => {
      const uuid = textAt(index, 'uuid');
      return [
        name,
        {
          uuid,
          incarnation: indexIncarnation(uuid, index, nodes),
          total: parseOperations(valueAt(index, 'total'), major),
          primary: parseOperations(valueAt(index, 'primaries'), major),
        },
      ];
    }),
  );
}

/**
 * An index's figures are sums over its shard copies. A copy's figures start at zero when the copy is created,
 * and again when its node starts. So the sum is comparable only while each copy stays on the same JVM in the
 * same role.
 */
function indexIncarnation(
  uuid: string | null,
  index: unknown,
  nodes: ReadonlyMap<string, string | null>,
): string | null {
  const copies = entriesOfShards(index).map(([shard, copy]) => {
    const node = textAt(copy, 'routing', 'node');
    const role = flagAt(copy, 'routing', 'primary');
    const incarnation = node === null ? null : (nodes.get(node) ?? null);
    return role === null || incarnation === null ? null : `${shard}${role ? 'p' : 'r'}@${incarnation}`;
  });
  if (uuid === null || copies.length === 0 || copies.includes(null)) return null;
  return createHash('sha256')
    .update([uuid, ...copies.sort()].join('\n'))
    .digest('hex')
    .slice(0, 32);
}

function entriesOfShards(index: unknown): readonly (readonly [string, unknown])[] {
  const shards = valueAt(index, 'shards');
  if (typeof shards !== 'object' || shards === null) return [];
  return Object.keys(shards).flatMap((shard) =>
    listAt(shards, shard).map((copy): readonly [string, unknown] => [shard, copy]),
  );
}

/** `_shards.failed` of a broadcast; null if the answer has none. */
export function failedShards(answer: unknown): number | null {
  return amountAt(answer, '_shards', 'failed');
}
