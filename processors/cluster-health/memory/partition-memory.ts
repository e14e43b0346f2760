import type { ClusterMemory as StoredPiece } from '../../../schemas/generated/cluster-memory.js';
import { maxPerWorkspace, RememberedClusters } from './remembered-clusters.js';

/** Reads what was committed of a partition's memory: the last value of each key. */
export type ReadPieces = (partition: number, signal: AbortSignal) => Promise<readonly StoredPiece[]>;

interface Held {
  readonly assignment: object | undefined;
  /** The first offset that is not in this memory yet. */
  next: number;
  readonly clusters: RememberedClusters;
}

/**
 * The memories of the clusters of each partition. Only committed state counts: after every acquisition, and whenever
 * records are read again (their run was dropped before its commit), the partition's memory is read again.
 */
export class Memories {
  private readonly held = new Map<number, Held>();

  constructor(
    private readonly read: ReadPieces,
    private readonly most = maxPerWorkspace,
  ) {}

  async for(
    partition: number,
    run: { readonly first: number; readonly last: number },
    { assignment, signal }: { readonly assignment?: object; readonly signal: AbortSignal },
  ): Promise<RememberedClusters> {
    let held = this.held.get(partition);
    if (held === undefined || held.assignment !== assignment || run.first < held.next) {
      this.held.delete(partition);
      const clusters = new RememberedClusters(await this.read(partition, signal), this.most);
      held = { assignment, next: 0, clusters };
      this.held.set(partition, held);
    }
    held.next = run.last + 1;
    return held.clusters;
  }
}
