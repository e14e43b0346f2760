/** Three cycles, so that an endpoint does not lose its cluster over one failed call or one slow cycle. */
const leaseMs = 180_000;

interface Owner {
  readonly index: number;
  readonly renewedAt: number;
}

/**
 * Decides which entry of integration.json reports a cluster, because two endpoints of one cluster are one
 * integration. The first entry that meets the cluster has the lease for as long as it continues to meet it.
 * If its endpoint dies, refuses its credentials or leads elsewhere, another entry gets the lease.
 */
export class ClusterLeases {
  private readonly owners = new Map<string, Owner>();

  /** `index` of the entry in the file; `elapsed` in milliseconds of a monotonic clock. */
  claim(uuid: string, index: number, elapsed: number): boolean {
    if (this.isOthers(uuid, index, elapsed)) return false;
    this.owners.set(uuid, { index, renewedAt: elapsed });
    return true;
  }

  /** Whether another entry has the lease. */
  isOthers(uuid: string, index: number, elapsed: number): boolean {
    const owner = this.owners.get(uuid);
    return owner !== undefined && owner.index !== index && elapsed - owner.renewedAt < leaseMs;
  }

  clear(): void {
    this.owners.clear();
  }
}
