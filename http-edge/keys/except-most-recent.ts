/** The ended items, except the `kept` that ended last. */
export function exceptMostRecent<Ended>(
  ended: readonly Ended[],
  kept: number,
  endedAt: (one: Ended) => number,
): readonly Ended[] {
  if (ended.length <= kept) return [];
  return [...ended].sort((one, other) => endedAt(one) - endedAt(other)).slice(0, ended.length - kept);
}
