import assert from 'node:assert/strict';

/** Processor time of this process in ms, in user mode: what else runs on the machine is hardly in it. */
function processorMs(act: () => void): number {
  const before = process.cpuUsage().user;
  act();
  return (process.cpuUsage().user - before) / 1_000;
}

/**
 * The least that `figure` comes to, tried again only while it is not below `enough`: compiling, collecting garbage and
 * neighbours on the processor make a figure bigger once, a fault in the code does each time.
 */
function leastOf(tries: number, enough: number, figure: () => number): number {
  let least = figure();
  for (let tried = 1; tried < tries && least >= enough; tried += 1) least = Math.min(least, figure());
  return least;
}

/** What takes less is not looked at further: of 100,000 characters, a step that squares them takes seconds. */
const quickMs = 250;
/** What takes longer is too slow however it grows: several times what the slowest linear step takes. */
const mostMs = 3_000;
/** Of four times the text: a linear step takes four times as long, one of its power of 1.5 eight, one that squares sixteen. */
const mostGrowth = 6;

/** Throws where the time that `act` takes grows faster than the text, whatever the machine's own speed is, or is out of all measure. */
export function assertLinearTime(text: string, act: (text: string) => unknown): void {
  const timeOf = (part: string): number => processorMs(() => void act(part));
  const least = leastOf(3, quickMs, () => timeOf(text));
  if (least < quickMs) return;
  assert.ok(least < mostMs, `${least.toFixed(0)} ms of processor time`);
  const quarter = text.slice(0, text.length / 4 - 20) + text.slice(-20); // the end may be what makes it try again
  const growth = leastOf(5, mostGrowth, () => timeOf(text) / Math.max(timeOf(quarter), quickMs / 16));
  assert.ok(growth < mostGrowth, `${growth.toFixed(1)} times as long for four times the text`);
}
