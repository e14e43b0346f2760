interface Evaluated {
  readonly cluster_name: string | null;
  readonly status: 'green' | 'yellow' | 'red' | null;
  readonly score: number | null;
}

const ranks = { red: 0, unknown: 1, yellow: 2, green: 3 } as const;

/** Red clusters first, then unknown ones, then by score from the lowest; ties by name. */
export function byUrgency(one: Evaluated, other: Evaluated): number {
  return (
    ranks[one.status ?? 'unknown'] - ranks[other.status ?? 'unknown'] ||
    (one.score ?? 0) - (other.score ?? 0) ||
    (one.cluster_name ?? '').localeCompare(other.cluster_name ?? '')
  );
}
