import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const tries = 3;

/**
 * How much the heap of this process grows during some work, in MiB, after full collections. Returns the
 * minimum over several tries, and stops once it is below `enough`: other work can make the heap grow once, a
 * leak does each time. So it can't detect memory that fills only once, such as a cache of any size with a
 * bound. If such a bound matters, check the size of the cache itself.
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

/** Runs a full collection immediately. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}
