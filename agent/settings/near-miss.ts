/** A longer name is not mistyped. */
const longestName = 64;

/**
 * The known name that a mistyped one stands for. They differ only in case, hyphens and underscores, or by one
 * edit for every three letters, two at most. Undefined if no name is near.
 */
export function nearMiss(name: string, known: Iterable<string>): string | undefined {
  if (name.length > longestName) return undefined;
  const wanted = plain(name);
  const near = [...known]
    .map((candidate) => ({ candidate, slips: editDistance(wanted, plain(candidate)) }))
    .toSorted((one, other) => one.slips - other.slips)[0];
  const most = Math.min(2, Math.floor(wanted.length / 3));
  return near !== undefined && near.slips <= most ? near.candidate : undefined;
}

const plain = (name: string): string => name.replaceAll(/[-_\s]/g, '').toLowerCase();

/** The edit distance: letters to remove, to add or to change, or neighbours to swap (optimal string alignment). */
function editDistance(one: string, other: string): number {
  let [before, last]: [number[], number[]] = [[], Array.from({ length: other.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= one.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const isSame = one[i - 1] === other[j - 1];
      const isSwapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      row.push(
        Math.min(
          (last[j] ?? 0) + 1,
          (row[j - 1] ?? 0) + 1,
          (last[j - 1] ?? 0) + (isSame ? 0 : 1),
          isSwapped ? (before[j - 2] ?? 0) + 1 : Infinity,
        ),
      );
    }
    [before, last] = [last, row];
  }
  return last[other.length] ?? 0;
}
