/** A topic and, for each of its partitions, the brokers that have a replica. The first is the preferred leader. */
export interface TopicReplicas {
  readonly name: string;
  readonly partitions: readonly { readonly partition: number; readonly replicas: readonly number[] }[];
}

/**
 * The partitions with fewer replicas than wanted, with the replicas that they are to have: the present ones, in their
 * order, and more on the brokers with the fewest. There are at least as many `brokers` as wanted replicas.
 */
export function addedReplicas(
  topics: readonly TopicReplicas[],
  brokers: readonly number[],
  wanted: number,
): readonly TopicReplicas[] {
  const load = new Map(brokers.map((broker) => [broker, 0]));
  const loadOf = (broker: number): number => load.get(broker) ?? 0;
  const count = (broker: number): unknown => load.set(broker, loadOf(broker) + 1);
  topics.flatMap(({ partitions }) => partitions.flatMap(({ replicas }) => replicas)).forEach(count);
  const grown = (replicas: readonly number[]): readonly number[] => {
    const all = [...replicas];
    while (all.length < wanted) {
      const others = brokers.filter((broker) => !all.includes(broker));
      const next = others.reduce((least, broker) => (loadOf(broker) < loadOf(least) ? broker : least));
      count(next);
      all.push(next);
    }
    return all;
  };
  return topics.map(({ name, partitions }) => ({
    name,
    partitions: partitions
      .filter(({ replicas }) => replicas.length < wanted)
      .map(({ partition, replicas }) => ({ partition, replicas: grown(replicas) })),
  }));
}
