/** Of what has ended, all but those that ended last, so many of them. */
export function allButTheLast<Ended>(
  ended: readonly Ended[],
  kept: number,
  endedAt: (one: Ended) => number,
): readonly Ended[] {
  if (ended.length <= kept) return [];
  return [...ended].sort((one, other) => endedAt(one) - endedAt(other)).slice(0, ended.length - kept);
}
