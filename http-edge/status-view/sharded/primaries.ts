import { edgeWeight } from '../../peers/edge-weight.js';

/** An edge, and the partitions that the group has assigned to it. */
export interface AssignedEdge {
  readonly url: string;
  readonly partitions: readonly number[];
}

/**
 * For each partition the edge, of those that have it, that stores its results too; none gets more than its share where
 * another one can. It is a function of the addresses, so that an edge that was away for a moment has the same ones
 * again. Edges may disagree about it for a moment: then a result is stored twice, or is read from Kafka.
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
