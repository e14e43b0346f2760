/** Three cycles: one call that fails, or a slow cycle, does not cost an endpoint its cluster. */
const leaseMs = 180_000;

interface Owner {
  readonly index: number;
  readonly renewedAt: number;
}

/**
 * Which entry of integration.json reports a cluster: two endpoints of one cluster are one integration. The first that
 * meets the cluster has it, for as long as it goes on to meet it: when its endpoint dies, refuses its credentials or
 * leads elsewhere, another entry takes over.
 */
export class ClusterLeases {
  private readonly owners = new Map<string, Owner>();

  /** `index` of the entry in the file; `elapsed` in milliseconds, of a clock that nobody sets. */
  claim(uuid: string, index: number, elapsed: number): boolean {
    if (this.isOthers(uuid, index, elapsed)) return false;
    this.owners.set(uuid, { index, renewedAt: elapsed });
    return true;
  }

  /** Whether another entry has it. */
  isOthers(uuid: string, index: number, elapsed: number): boolean {
    const owner = this.owners.get(uuid);
    return owner !== undefined && owner.index !== index && elapsed - owner.renewedAt < leaseMs;
  }

  clear(): void {
    this.owners.clear();
  }
}
