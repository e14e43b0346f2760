import assert from 'node:assert/strict';

/** Processor time of this process in user mode, in ms: other load on the machine hardly affects it. */
function processorMs(act: () => void): number {
  const before = process.cpuUsage().user;
  act();
  return (process.cpuUsage().user - before) / 1_000;
}

/**
 * The minimum of `figure` over several tries; stops once it is below `enough`. Compilation, garbage
 * collection and other processes raise a figure once, a fault in the code raises it each time.
 */
function leastOf(tries: number, enough: number, figure: () => number): number {
  let least = figure();
  for (let tried = 1; tried < tries && least >= enough; tried += 1) least = Math.min(least, figure());
  return least;
}

/** Shorter times need no growth check: for 100,000 characters, a quadratic step takes seconds. */
const quickMs = 250;
/** Longer times fail whatever their growth: this is several times that of the slowest linear step. */
const mostMs = 3_000;
/**
 * For four times the text, a linear step takes four times as long, one with exponent 1.5 eight times, and a
 * quadratic one sixteen times.
 */
const mostGrowth = 6;

/** Throws if the time of `act` grows faster than the text, at any machine speed, or exceeds the bound. */
export function assertLinearTime(text: string, act: (text: string) => unknown): void {
  const timeOf = (part: string): number => processorMs(() => void act(part));
  const quarter = text.slice(0, text.length / 4 - 20) + text.slice(-20); // the end can cause the retries
  const growthOf = (whole: number): number => whole / Math.max(timeOf(quarter), quickMs / 16);
  const first = timeOf(text);
  if (first < quickMs || (first < mostMs && growthOf(first) < mostGrowth)) return;
  const least = leastOf(3, quickMs, () => timeOf(text));
  if (least < quickMs) return;
  assert.ok(least < mostMs, `${least.toFixed(0)} ms of processor time`);
  const growth = leastOf(5, mostGrowth, () => growthOf(timeOf(text)));
  assert.ok(growth < mostGrowth, `${growth.toFixed(1)} times as long for four times the text`);
}
