import type { ClusterMemory as StoredPiece } from '../../../schemas/generated/cluster-memory.js';
import { newMemory, type ClusterMemory } from './cluster-memory.js';
import { clusterKey, memoryOf, type ClusterKey } from './stored-pieces.js';

/** Reads what was committed of a partition's memory: the last value of each key. */
export type ReadPieces = (partition: number, signal: AbortSignal) => Promise<readonly StoredPiece[]>;

interface Held {
  readonly assignment: object | undefined;
  /** The first offset that is not in this memory yet. */
  next: number;
  /** As stored, until it is used. */
  readonly stored: ReadonlyMap<string, readonly StoredPiece[]>;
  readonly clusters: Map<string, ClusterMemory>;
}

export interface PartitionMemory {
  of(cluster: ClusterKey): ClusterMemory;
}

/**
 * The memories of the clusters of each partition. Only committed state counts: after every acquisition, and whenever
 * records are read again (their run was dropped before its commit), the partition's memory is read again.
 */
export class Memories {
  private readonly held = new Map<number, Held>();

  constructor(private readonly read: ReadPieces) {}

  async for(
    partition: number,
    run: { readonly first: number; readonly last: number },
    { assignment, signal }: { readonly assignment?: object; readonly signal: AbortSignal },
  ): Promise<PartitionMemory> {
    let held = this.held.get(partition);
    if (held === undefined || held.assignment !== assignment || run.first < held.next) {
      this.held.delete(partition);
      const stored = byCluster(await this.read(partition, signal));
      held = { assignment, next: 0, stored, clusters: new Map() };
      this.held.set(partition, held);
    }
    held.next = run.last + 1;
    const { stored, clusters } = held;
    return {
      of(cluster) {
        const key = clusterKey(cluster);
        let memory = clusters.get(key);
        if (memory === undefined) {
          const pieces = stored.get(key);
          memory = pieces === undefined ? newMemory() : memoryOf(pieces);
          clusters.set(key, memory);
        }
        return memory;
      },
    };
  }
}

function byCluster(pieces: readonly StoredPiece[]): Map<string, readonly StoredPiece[]> {
  const clusters = new Map<string, StoredPiece[]>();
  for (const piece of pieces) {
    const key = clusterKey(piece);
    const others = clusters.get(key);
    if (others === undefined) clusters.set(key, [piece]);
    else others.push(piece);
  }
  return clusters;
}
