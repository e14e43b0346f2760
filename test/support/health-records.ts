import type { ClusterHealth } from '../../schemas/generated/cluster-health.js';
import type { ClusterSnapshot } from '../../schemas/generated/cluster-snapshot.js';
import { SteppedCluster } from './cluster-snapshots.js';

export function healthsOf(cluster: SteppedCluster): ClusterHealth[] {
  return cluster
    .emitted()
    .filter(({ topic }) => topic === 'clusters.health')
    .map(({ value }) => value as ClusterHealth);
}

/** Every health record that this log leads to. */
export async function healthsAfter(...log: readonly ClusterSnapshot[]): Promise<ClusterHealth[]> {
  const cluster = new SteppedCluster();
  await cluster.run(log);
  return healthsOf(cluster);
}

export const codesOf = (health: ClusterHealth | undefined): string[] =>
  (health?.deductions ?? []).map(({ code }) => code);

/** The reason why this could not be evaluated; undefined if it was. */
export const missingOf = (health: ClusterHealth | undefined, subject: string): string | undefined =>
  health?.not_measured.find(({ what }) => what === subject)?.reason;
