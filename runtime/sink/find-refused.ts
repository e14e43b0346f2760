/**
 * Finds by bisection the records that `accepts` refuses, at most `most` of them. `complete` is false if there
 * may be more after the last one found.
 */
export async function findRefused<Item>(
  items: readonly Item[],
  accepts: (part: readonly Item[]) => Promise<boolean>,
  most: number,
): Promise<{ readonly refused: readonly Item[]; readonly complete: boolean }> {
  const refused: Item[] = [];
  const search = async (part: readonly Item[]): Promise<void> => {
    if (part.length === 0 || refused.length >= most || (await accepts(part))) return;
    const [only] = part;
    if (part.length === 1 && only !== undefined) {
      refused.push(only);
      return;
    }
    const middle = part.length >> 1;
    await search(part.slice(0, middle));
    await search(part.slice(middle));
  };
  await search(items);
  return { refused, complete: refused.length < most };
}
