import { scrubText } from '../agent/slowlogs/scrub/scrub-text.js';
import { compare, type ComparisonResult } from './comparison.js';
import { nastyUnits } from './nasty-units.js';
import { typicalSources } from './typical-searches.js';

const [shortLength, longLength] = [20_000, 80_000];
/** Shorter runs are noise. */
const leastMs = 5;

/** The scrubber on typical slow logs, and the growth of its cost with hostile texts. */
export async function measureScrub(say: (line: string) => void): Promise<readonly ComparisonResult[]> {
  return [await typicalEntries(say), await steepestGrowth(say)];
}

const typicalEntries = (say: (line: string) => void): Promise<ComparisonResult> =>
  compare(
    {
      name: 'scrubbing of typical searches of a slow log, processor time',
      unit: 'searches per CPU-second',
      floorName: 'JSON.parse and JSON.stringify of the same',
      pairs: 5,
      target: { atLeast: 0.06 }, // 1.5 times the figure of the scrubber before its redesign, 0.04
      ours: () => Promise.resolve(perCpuSecond(scrubText)),
      floor: () => Promise.resolve(perCpuSecond((text) => JSON.stringify(JSON.parse(text)))),
    },
    say,
  );

/** The text whose cost grows most from 20 to 80 KB, among those that are hard for the rules. */
function steepestGrowth(say: (line: string) => void): Promise<ComparisonResult> {
  const growths = nastyUnits.map((unit) => ({ unit, growth: growthOn(unit) }));
  const { unit } = growths.reduce((steepest, one) => (one.growth > steepest.growth ? one : steepest));
  say(`steepest: ${JSON.stringify(unit)} repeated`);
  return compare(
    {
      name: 'scrubbing of 80 KB of the steepest text, processor time',
      unit: 'ms',
      floorName: 'the same of 20 KB, six times',
      pairs: 5,
      target: { atMost: 1 },
      ours: () => Promise.resolve(msFor(unit, longLength)),
      floor: () => Promise.resolve(6 * Math.max(msFor(unit, shortLength), leastMs)),
    },
    say,
  );
}

const growthOn = (unit: string): number =>
  msFor(unit, longLength) / Math.max(msFor(unit, shortLength), leastMs);

/** The minimum of several runs. */
function msFor(unit: string, length: number): number {
  const text = unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
  return Math.min(...Array.from({ length: 3 }, () => processorMs(() => void scrubText(text))));
}

const measuredMs = 1_000;

function perCpuSecond(act: (text: string) => unknown): number {
  let done = 0;
  let used = 0;
  while (used < measuredMs) {
    used += processorMs(() => {
      for (const text of typicalSources) act(text);
    });
    done += typicalSources.length;
  }
  return (1_000 * done) / used;
}

/** In user mode and in the kernel, so other load on the machine hardly counts. */
function processorMs(act: () => void): number {
  const before = process.cpuUsage();
  act();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
