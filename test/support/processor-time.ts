import assert from 'node:assert/strict';

/** Processor time of this process in ms, in user mode: other load on the machine hardly counts. */
function processorMs(act: () => void): number {
  const before = process.cpuUsage().user;
  act();
  return (process.cpuUsage().user - before) / 1_000;
}

/**
 * The minimum of `figure` over several tries, which end once it is below `enough`: compilation, garbage collection and
 * neighbours on the processor raise a figure once, a fault in the code raises it each time.
 */
function leastOf(tries: number, enough: number, figure: () => number): number {
  let least = figure();
  for (let tried = 1; tried < tries && least >= enough; tried += 1) least = Math.min(least, figure());
  return least;
}

/** A shorter time is not examined further: for 100,000 characters, a quadratic step takes seconds. */
const quickMs = 250;
/** A longer time is too slow whatever its growth: it is several times that of the slowest linear step. */
const mostMs = 3_000;
/**
 * For four times the text, a linear step takes four times as long, one of power 1.5 eight times, a quadratic one
 * sixteen times.
 */
const mostGrowth = 6;

/** Throws where the time of `act` grows faster than the text, whatever the machine's speed, or exceeds the bound. */
export function assertLinearTime(text: string, act: (text: string) => unknown): void {
  const timeOf = (part: string): number => processorMs(() => void act(part));
  const quarter = text.slice(0, text.length / 4 - 20) + text.slice(-20); // the end may be what makes it try again
  const growthOf = (whole: number): number => whole / Math.max(timeOf(quarter), quickMs / 16);
  const first = timeOf(text);
  if (first < quickMs || (first < mostMs && growthOf(first) < mostGrowth)) return;
  const least = leastOf(3, quickMs, () => timeOf(text));
  if (least < quickMs) return;
  assert.ok(least < mostMs, `${least.toFixed(0)} ms of processor time`);
  const growth = leastOf(5, mostGrowth, () => growthOf(timeOf(text)));
  assert.ok(growth < mostGrowth, `${growth.toFixed(1)} times as long for four times the text`);
}
