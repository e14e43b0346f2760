import { edgeWeight } from '../../peers/edge-weight.js';

/** An edge, and the partitions that the group has assigned to it. */
export interface AssignedEdge {
  readonly url: string;
  readonly partitions: readonly number[];
}

/**
 * For each partition, the edge that also stores its results, out of the edges that have the partition. No
 * edge gets more than its share if another one can take it. The choice is a function of the addresses, so an
 * edge that was briefly down gets the same partitions again. Edges can briefly disagree about it: then a
 * result is stored twice, or is read from Kafka.
 */
export function primariesOf(edges: readonly AssignedEdge[]): ReadonlyMap<number, string> {
  const partitions = [...new Set(edges.flatMap((edge) => edge.partitions))].sort((one, other) => one - other);
  const urls = new Set(edges.flatMap(({ url, partitions: its }) => (its.length > 0 ? [url] : [])));
  const share = Math.ceil(partitions.length / urls.size);
  const given = new Map<string, number>();
  const primaries = new Map<number, string>();
  for (const partition of partitions) {
    const owners = edges
      .filter((edge) => edge.partitions.includes(partition))
      .map(({ url }) => url)
      .sort((one, other) => edgeWeight(partition, other) - edgeWeight(partition, one));
    const primary = owners.find((url) => (given.get(url) ?? 0) < share) ?? owners[0];
    if (primary === undefined) continue;
    primaries.set(partition, primary);
    given.set(primary, (given.get(primary) ?? 0) + 1);
  }
  return primaries;
}
