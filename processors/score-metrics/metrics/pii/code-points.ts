/**
 * Converts UTF-16 offsets of one text to code-point offsets, in any order. The text is scanned once, and not at all
 * when it has no surrogate pair. A lone surrogate counts as one.
 */
export function codePointOffsets(text: string): (offset: number) => number {
  const pairs: number[] = [];
  for (const match of text.matchAll(/[\ud800-\udbff][\udc00-\udfff]/g)) pairs.push(match.index);
  return (offset) => offset - countBelow(pairs, offset);
}

/** How many of the ascending numbers are below the limit. */
function countBelow(ascending: readonly number[], limit: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? limit) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
