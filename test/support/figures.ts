import assert from 'node:assert/strict';
import { runTelltale } from './roles.js';

/**
 * For figures that are promised in seconds, on a machine whose other load may starve any process: each figure is
 * compared with a clock that starves too, and the slowest of several tries is ignored.
 */

/** Whether `work` ends, well or not, before a timer of this process that starts with it. */
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
 * How long `work` takes, in ms of a clock that counts turns of this process: it hardly advances while other load keeps
 * this process, and with it most of what `work` waits for, from running.
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

/** The second longest time: one starving broker may delay one of several tries, a fault delays most of them. */
export function longestButOne(times: readonly number[]): number {
  const [, second] = times.toSorted((one, other) => other - one);
  if (second === undefined) throw new RangeError('one time alone has none beside it');
  return second;
}

/** The most that starting a process of the product takes on an idle machine of two cores, in ms. */
const idleStartMs = 500;

/** How many times longer it takes now than on such a machine: 1 where nothing slows it down. */
async function slowness(): Promise<number> {
  const began = performance.now();
  await runTelltale(['--help'], {});
  return Math.max(1, (performance.now() - began) / idleStartMs);
}

/** Fails where it takes longer than so many ms would be on an idle machine, as slow as this one is before and after. */
export async function inTime(mostMs: number, act: () => Promise<unknown>): Promise<void> {
  const before = await slowness();
  const began = performance.now();
  await act();
  const took = performance.now() - began;
  if (took <= mostMs) return;
  const allowed = mostMs * Math.max(before, await slowness());
  assert.ok(took <= allowed, `it took ${took.toFixed(0)} ms, ${allowed.toFixed(0)} are allowed`);
}
