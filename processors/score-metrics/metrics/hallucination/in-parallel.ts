/**
 * Maps in order, `atOnce` at a time. After the first failure nothing new is started. The calls in progress
 * are awaited, so that none continues unobserved, and then the failure is thrown.
 */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const failures: unknown[] = [];
  const waiting = items.entries();
  const worker = async (): Promise<void> => {
    for (const [at, item] of waiting) {
      if (failures.length > 0) return;
      try {
        results[at] = await work(item);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  if (failures.length > 0) throw failures[0];
  return results;
}
