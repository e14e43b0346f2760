import assert from 'node:assert/strict';
import { runTelltale } from './roles.js';

/**
 * For durations promised in seconds, on a machine whose other load can starve any process: each duration is
 * compared with a clock that starves too, and the slowest of several tries is ignored.
 */

/** Whether `work` settles before a timer of this process that starts at the same time. */
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
 * The duration of `work`, in ms of a clock that counts turns of this process. It hardly advances while other
 * load starves this process, and with it most of what `work` waits for.
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

/** The second longest time: a starving broker can delay one of several tries, a fault delays most of them. */
export function secondLongest(times: readonly number[]): number {
  const [, second] = times.toSorted((one, other) => other - one);
  if (second === undefined) throw new RangeError('one time alone has none beside it');
  return second;
}

/** The most that starting a process of the product takes on an idle machine with two cores, in ms. */
const idleStartMs = 500;

/** How many times longer a start takes now than on such a machine: 1 if nothing slows it down. */
async function slowness(): Promise<number> {
  const began = performance.now();
  await runTelltale(['--help'], {});
  return Math.max(1, (performance.now() - began) / idleStartMs);
}

/** Fails if `act` takes longer than `mostMs`, scaled by how slow this machine is before and after. */
export async function inTime(mostMs: number, act: () => Promise<unknown>): Promise<void> {
  const before = await slowness();
  const began = performance.now();
  await act();
  const took = performance.now() - began;
  if (took <= mostMs) return;
  const allowed = mostMs * Math.max(before, await slowness());
  assert.ok(took <= allowed, `it took ${took.toFixed(0)} ms, ${allowed.toFixed(0)} are allowed`);
}
