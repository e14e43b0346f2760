import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long work may hold the event loop before other work gets a turn. */
const longestMs = 5;

/** Splits long work into turns of the event loop: call it after each step. */
export class Slice {
  private ends = performance.now() + longestMs;

  /** Yields to the event loop if this turn has lasted long enough. */
  pause(): Promise<void> | undefined {
    return performance.now() < this.ends ? undefined : this.next();
  }

  private async next(): Promise<void> {
    await nextTurn();
    this.ends = performance.now() + longestMs;
  }
}

/** Like `map` of the array, over as many turns as it needs. */
export async function inSlices<Element, Result>(
  elements: readonly Element[],
  of: (element: Element, index: number) => Result,
): Promise<readonly Result[]> {
  const slice = new Slice();
  const results: Result[] = [];
  for (const [index, element] of elements.entries()) {
    const others = slice.pause();
    if (others !== undefined) await others;
    results.push(of(element, index));
  }
  return results;
}
