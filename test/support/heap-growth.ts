import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const tries = 3;

/**
 * By how much the heap of this process grows over some work, in MiB after full collections; the least of some tries,
 * which end once it is below `enough`: what else the process does may make it grow once, a leak does each time.
 * So it can't see what fills once and is full then, however large: a cache up to its bound looks like the process's own
 * doings. Where such a bound matters, hold the size of the cache itself.
 */
export async function heapGrowth(enough: number, work: () => Promise<unknown>): Promise<number> {
  let least = Infinity;
  for (let tried = 0; tried < tries && least >= enough; tried += 1) {
    const before = heapMebibytes();
    await work();
    least = Math.min(least, heapMebibytes() - before);
  }
  return least;
}

function heapMebibytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

/** A full collection, at once. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}
