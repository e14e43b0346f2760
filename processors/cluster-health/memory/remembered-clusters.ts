import type { ClusterMemory as StoredPiece } from '../../../schemas/generated/cluster-memory.js';
import type { ClusterMemory, Piece } from './cluster-memory.js';
import { clusterKey, memoryOf, type ClusterKey } from './stored-pieces.js';

/** Characters of JSON that a workspace's clusters may take in a partition: hundreds of typical clusters. */
export const maxPerWorkspace = 256 * 1024 * 1024;
/** What a cluster takes in addition to its JSON, in the same unit. */
const ofEach = 16 * 1024;
/** The removals of a run are in one transaction with its outputs. */
const mostAtOnce = 500;

interface Remembered {
  readonly of: ClusterKey;
  /** As read, until it is used. */
  stored: StoredPiece[];
  memory: ClusterMemory | undefined;
  /** In characters; for pieces that are not used yet, in bytes. */
  readonly sizes: Map<Piece, number>;
}

export interface ForgottenCluster {
  readonly of: ClusterKey;
  readonly pieces: readonly Piece[];
}

/**
 * The clusters of one partition, bounded for each workspace: a client that may send snapshots can invent any
 * number of clusters.
 */
export class RememberedClusters {
  /** In the order in which they were last used. */
  private readonly clusters = new Map<string, Remembered>();
  /** By workspace. */
  private readonly taken = new Map<string, number>();

  constructor(
    stored: readonly StoredPiece[],
    private readonly most: number,
  ) {
    for (const piece of stored) {
      const cluster = this.entryOf(piece);
      cluster.stored.push(piece);
      this.resize(cluster, piece.piece as Piece, piece.state.length);
    }
  }

  of(key: ClusterKey): ClusterMemory {
    const name = clusterKey(key);
    const cluster = this.entryOf(key);
    this.clusters.delete(name);
    this.clusters.set(name, cluster);
    cluster.memory ??= memoryOf(cluster.stored, (piece, size) => this.resize(cluster, piece, size));
    cluster.stored = [];
    return cluster.memory;
  }

  /** Records how large a piece has become. */
  measure(key: ClusterKey, piece: Piece, size: number): void {
    this.resize(this.entryOf(key), piece, size);
  }

  /** Forgets the least recently used clusters of a workspace if all of them take more than they may. */
  forgetOldest(workspace: string): readonly ForgottenCluster[] {
    const forgotten: ForgottenCluster[] = [];
    for (const [name, { of, sizes }] of this.clusters) {
      if (this.takenBy(workspace) <= this.most || forgotten.length === mostAtOnce) break;
      if (of.workspace !== workspace) continue;
      this.clusters.delete(name);
      const size = [...sizes.values()].reduce((sum, each) => sum + each, ofEach);
      this.taken.set(workspace, this.takenBy(workspace) - size);
      forgotten.push({ of, pieces: [...sizes.keys()] });
    }
    return forgotten;
  }

  private entryOf({ workspace, cluster_uuid }: ClusterKey): Remembered {
    const of = { workspace, cluster_uuid };
    let cluster = this.clusters.get(clusterKey(of));
    if (cluster === undefined) {
      cluster = { of, stored: [], memory: undefined, sizes: new Map() };
      this.clusters.set(clusterKey(of), cluster);
      this.taken.set(workspace, this.takenBy(workspace) + ofEach);
    }
    return cluster;
  }

  private resize({ of, sizes }: Remembered, piece: Piece, size: number): void {
    this.taken.set(of.workspace, this.takenBy(of.workspace) + size - (sizes.get(piece) ?? 0));
    sizes.set(piece, size);
  }

  private takenBy(workspace: string): number {
    return this.taken.get(workspace) ?? 0;
  }
}
