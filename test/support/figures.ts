import { runTelltale } from './roles.js';

/**
 * For figures that are promised in seconds, on a machine whose other work may starve any process: a figure is held
 * against a clock that starves too, and by all of several tries but one.
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

const turnMs = 10;

/**
 * How long `work` takes in ms by a clock of turns of this process, which hardly moves on while other work keeps this
 * process, and with it most of what it waits for, from running.
 */
export async function turnsOf(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  const clock = setInterval(() => (turns += 1), turnMs);
  try {
    await work;
  } finally {
    clearInterval(clock);
  }
  return turns * turnMs;
}

/** The longest time but one: a broker that starves alone may cost one of several tries its time, a fault costs most. */
export function longestButOne(times: readonly number[]): number {
  const [, second] = times.toSorted((one, other) => other - one);
  if (second === undefined) throw new RangeError('one time alone has none beside it');
  return second;
}

/** What starting a process of the product takes on an idle machine of two cores, in ms, at most. */
const idleStartMs = 500;

/** How many times as long as on such a machine it takes now: 1 where nothing slows it. */
export async function slowness(): Promise<number> {
  const began = performance.now();
  await runTelltale(['--help'], {});
  return Math.max(1, (performance.now() - began) / idleStartMs);
}
