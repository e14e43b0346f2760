import { runTelltale } from './roles.js';

/**
 * For figures that are promised in seconds, on a machine whose other work may starve any process: a figure is held
 * against a clock that starves too, or by the best of several tries.
 */

/** Whether `work` ends, well or not, before a timer of this process that is set with it. */
export async function endsWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => (timer = setTimeout(() => resolve(false), ms)));
  const ended = (): true => true;
  try {
    return await Promise.race([work.then(ended, ended), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The shortest time in ms that one of the tries gives; no further try is made once one takes less than `enoughMs`. */
export async function quickest(
  tries: number,
  enoughMs: number,
  elapsedMs: () => Promise<number>,
): Promise<number> {
  let least = await elapsedMs();
  for (let tried = 1; tried < tries && least >= enoughMs; tried += 1)
    least = Math.min(least, await elapsedMs());
  return least;
}

/** What starting a process of the product takes on an idle machine of two cores, in ms, at most. */
const idleStartMs = 500;

/** How many times as long as on such a machine it takes now: 1 where nothing slows it. */
export async function slowness(): Promise<number> {
  const began = performance.now();
  await runTelltale(['--help'], {});
  return Math.max(1, (performance.now() - began) / idleStartMs);
}
