import type { ShardSnapshot, ShardsSection } from '../../../schemas/snapshots/shard-section.js';
import { amountAt, instantAt, textAt, textOf, valueAt } from './answer.js';

/** The columns asked of `_cat/shards`, by the short aliases that every version knows: they are the keys of each row. */
export const shardColumns = 'i,s,p,st,d,sto,id,n,ur,ua,ud';

const states: Readonly<Record<string, { readonly state: ShardSnapshot['state']; readonly rank: number }>> = {
  UNASSIGNED: { state: 'UNASSIGNED', rank: 0 },
  INITIALIZING: { state: 'INITIALIZING', rank: 1 },
  RELOCATING: { state: 'RELOCATING', rank: 2 },
  STARTED: { state: 'STARTED', rank: 3 },
};

const ranks = Object.values(states)
  .sort((one, other) => one.rank - other.rank)
  .map(({ state }) => state);

/**
 * From `_cat/shards`: all shards are counted, and the first `most` are kept, unassigned before initializing before
 * relocating before started ones. One pass, and only what is kept is turned into a snapshot: a listing can have
 * 50,000 rows and more.
 */
export function parseShards(
  answer: unknown,
  most: number,
  uuidOf: (index: string) => string | null,
): ShardsSection {
  const rows = Array.isArray(answer) ? (answer as readonly unknown[]) : [];
  const byState = new Map<ShardSnapshot['state'], unknown[]>(ranks.map((state) => [state, []]));
  let unassignedPrimaries = 0;
  for (const row of rows) {
    const state = states[textAt(row, 'st') ?? '']?.state;
    if (state === undefined) continue;
    byState.get(state)?.push(row);
    if (state === 'UNASSIGNED' && textAt(row, 'p') === 'p') unassignedPrimaries += 1;
  }
  const count = (state: ShardSnapshot['state']): number => byState.get(state)?.length ?? 0;
  const total = ranks.reduce((sum, state) => sum + count(state), 0);
  const kept = ranks.flatMap((state) => primariesFirst(byState.get(state) ?? [], most)).slice(0, most);
  const known = Array.isArray(answer);
  return {
    shards_total: known ? total : null,
    started: known ? count('STARTED') : null,
    relocating: known ? count('RELOCATING') : null,
    initializing: known ? count('INITIALIZING') : null,
    unassigned: known ? count('UNASSIGNED') : null,
    unassigned_primaries: known ? unassignedPrimaries : null,
    shards_cut: known ? total - kept.length : null,
    shards: kept.flatMap((row) => shardOf(row, uuidOf)),
  };
}

/** At most `most` rows of one state; a primary counts for more than a replica. */
function primariesFirst(rows: readonly unknown[], most: number): readonly unknown[] {
  if (rows.length <= most) return rows;
  const isPrimary = (row: unknown): boolean => textAt(row, 'p') === 'p';
  return [...rows.filter(isPrimary), ...rows.filter((row) => !isPrimary(row))].slice(0, most);
}

function shardOf(row: unknown, uuidOf: (index: string) => string | null): ShardSnapshot[] {
  const index = textAt(row, 'i');
  const shard = amountAt(row, 's');
  const state = states[textAt(row, 'st') ?? '']?.state;
  if (index === null || shard === null || state === undefined) return [];
  return [
    {
      index,
      index_uuid: uuidOf(index),
      shard,
      primary: textAt(row, 'p') === 'p',
      state,
      node_id: textAt(row, 'id'),
      ...placeOf(textAt(row, 'n')),
      docs: amountAt(row, 'd'),
      store_bytes: amountAt(row, 'sto'),
      unassigned_reason: textAt(row, 'ur'),
      unassigned_at: instantAt(row, 'ua'),
      unassigned_details: textOf(valueAt(row, 'ud'), 500),
    },
  ];
}

type Place = Pick<ShardSnapshot, 'node' | 'relocating_to_node' | 'relocating_to_node_id'>;

/** The node column: a name, or `from -> 127.0.0.1 <node id> to` while the shard moves. */
function placeOf(column: string | null): Place {
  const moving = /^(.*) -> (\S+) (\S+) (.*)$/.exec(column ?? '');
  if (moving === null) return { node: column, relocating_to_node: null, relocating_to_node_id: null };
  const [, from, , targetId, target] = moving;
  return { node: from ?? null, relocating_to_node: target ?? null, relocating_to_node_id: targetId ?? null };
}
