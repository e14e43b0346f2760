import type { ShardSnapshot, ShardsSection } from '../../../schemas/snapshots/shard-section.js';
import { amountAt, instantAt, shardNumberAt, textAt, textOf, valueAt } from './answer.js';

/**
 * The requested columns of `_cat/shards`, by the short aliases that every version knows: they are the keys of each row.
 */
export const shardColumns = 'i,s,p,st,d,sto,id,n,ur,ua';
/** With the details of each unassigned shard: those of a failed allocation are a whole stack trace. */
export const detailedShardColumns = `${shardColumns},ud`;

const states: Readonly<Record<string, { readonly state: ShardSnapshot['state']; readonly rank: number }>> = {
  UNASSIGNED: { state: 'UNASSIGNED', rank: 0 },
  INITIALIZING: { state: 'INITIALIZING', rank: 1 },
  RELOCATING: { state: 'RELOCATING', rank: 2 },
  STARTED: { state: 'STARTED', rank: 3 },
};

const ranks = Object.values(states)
  .sort((one, other) => one.rank - other.rank)
  .map(({ state }) => state);

interface Kept {
  count: number;
  readonly primaries: unknown[];
  readonly replicas: unknown[];
}

/**
 * Takes the rows of `_cat/shards` one by one. All are counted, and the first `most` are kept: unassigned before
 * initializing before relocating before started ones, primaries before replicas.
 */
export class ShardListing {
  private readonly most: number;
  private readonly byState = new Map<ShardSnapshot['state'], Kept>(
    ranks.map((state) => [state, { count: 0, primaries: [], replicas: [] }]),
  );
  private unassignedPrimaries = 0;
  private rows = 0;

  constructor(most: number) {
    this.most = most;
  }

  add(row: unknown): void {
    this.rows += 1;
    const state = states[textAt(row, 'st') ?? '']?.state;
    const kept = state === undefined ? undefined : this.byState.get(state);
    if (kept === undefined) return;
    kept.count += 1;
    const isPrimary = textAt(row, 'p') === 'p';
    if (isPrimary && state === 'UNASSIGNED') this.unassignedPrimaries += 1;
    const rows = isPrimary ? kept.primaries : kept.replicas;
    if (rows.length < this.most) rows.push(row);
  }

  /** There were rows, but none had a state: the answer is not a listing of shards, and not an empty one. */
  get isBroken(): boolean {
    return this.rows > 0 && [...this.byState.values()].every(({ count }) => count === 0);
  }

  section(uuidOf: (index: string) => string | null): Omit<ShardsSection, 'explanations'> {
    const count = (state: ShardSnapshot['state']): number => this.byState.get(state)?.count ?? 0;
    const total = ranks.reduce((sum, state) => sum + count(state), 0);
    const kept = ranks
      .flatMap((state) => {
        const { primaries = [], replicas = [] } = this.byState.get(state) ?? {};
        return [...primaries, ...replicas];
      })
      .slice(0, this.most);
    return {
      shards_total: total,
      started: count('STARTED'),
      relocating: count('RELOCATING'),
      initializing: count('INITIALIZING'),
      unassigned: count('UNASSIGNED'),
      unassigned_primaries: this.unassignedPrimaries,
      shards_cut: total - kept.length,
      shards: kept.flatMap((row) => shardOf(row, uuidOf)),
    };
  }
}

function shardOf(row: unknown, uuidOf: (index: string) => string | null): ShardSnapshot[] {
  const index = textAt(row, 'i');
  const shard = shardNumberAt(row, 's');
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
      ...nodesOf(textAt(row, 'n')),
      docs: amountAt(row, 'd'),
      store_bytes: amountAt(row, 'sto'),
      unassigned_reason: textAt(row, 'ur'),
      unassigned_at: instantAt(row, 'ua'),
      unassigned_details: textOf(valueAt(row, 'ud'), 500),
    },
  ];
}

type ShardNodes = Pick<ShardSnapshot, 'node' | 'relocating_to_node' | 'relocating_to_node_id'>;

/** The node column: a name, or `from -> 127.0.0.1 <node id> to` while the shard moves. */
function nodesOf(column: string | null): ShardNodes {
  const moving = /^(.*) -> (\S+) (\S+) (.*)$/.exec(column ?? '');
  if (moving === null) return { node: column, relocating_to_node: null, relocating_to_node_id: null };
  const [, from, , targetId, target] = moving;
  return { node: from ?? null, relocating_to_node: target ?? null, relocating_to_node_id: targetId ?? null };
}
