import { allRules } from '../agent/slowlogs/scrub/rules/all.js';
import { scrubText } from '../agent/slowlogs/scrub/scrub-text.js';
import { viewOf, type Rule, type View } from '../agent/slowlogs/scrub/view.js';
import { nastyUnits } from '../test/unit/agent/slowlogs/scrub/nasty-units.js';
import { besideConstant, compare, type ComparisonResult } from './comparison.js';
import { typicalSources } from './typical-searches.js';

const megabyte = 1_000_000;
/** What a rule may take of processor time for a text of 1 MB. */
const mostMs = 50;
/** Shorter texts say which are the slowest: of so many the least of several runs is taken. */
const firstLook = 200_000;
const looksCloser = 16;
/** With others between them: what slows the machine down for some seconds slows down one round. */
const rounds = 3;

/** The rules of scrubbing on texts that mean harm, and the whole scrub on what slow logs hold. */
export async function measureScrub(say: (line: string) => void): Promise<readonly ComparisonResult[]> {
  const { rule, unit, ms } = slowestRule();
  say(`slowest: ${rule.name}, ${ms.toFixed(1)} ms on ${JSON.stringify(unit)} repeated`);
  const slowest = besideConstant({
    name: 'scrubbing, the slowest rule on its slowest text of 1 MB, processor time',
    unit: 'ms',
    floorName: 'what it may take',
    ours: ms,
    floor: mostMs,
    target: { atMost: 1 },
  });
  return [slowest, await typicalEntries(say), await oneLargeEntry(say)];
}

interface RuleCost {
  readonly rule: Costly;
  readonly unit: string;
  readonly ms: number;
}

type Costly = Pick<Rule, 'name'> & { find(view: View): unknown };

/** What rules share of a text is read once for all of them: it counts like a rule of its own. */
const readings: readonly Costly[] = [
  { name: 'fields of JSON', find: (view) => view.fields() },
  { name: 'strings of JSON', find: (view) => view.tokens() },
];

function slowestRule(): RuleCost {
  const costOf = (rule: Costly, unit: string, length: number, tries: number): RuleCost => {
    const text = unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
    const runs = Array.from({ length: tries }, () => {
      const view = viewOf(text);
      if (!readings.includes(rule)) for (const reading of readings) reading.find(view);
      return processorMs(() => void rule.find(view));
    });
    return { rule, unit, ms: Math.min(...runs) };
  };
  const descending = (a: RuleCost, b: RuleCost): number => b.ms - a.ms;
  const all = [...allRules, ...readings].flatMap((rule) =>
    nastyUnits.map((unit) => costOf(rule, unit, firstLook, 2)),
  );
  const candidates = all.sort(descending).slice(0, looksCloser);
  const measured = Array.from({ length: rounds }, () =>
    candidates.map(({ rule, unit }) => costOf(rule, unit, megabyte, 10)),
  );
  const [slowest] = candidates
    .map(({ rule, unit }, at) => ({
      rule,
      unit,
      ms: Math.min(...measured.map((round) => round[at]?.ms ?? Infinity)),
    }))
    .sort(descending);
  if (slowest === undefined) throw new Error('there are no rules');
  return slowest;
}

const typicalEntries = (say: (line: string) => void): Promise<ComparisonResult> =>
  compare(
    {
      name: 'scrubbing of typical searches of a slow log, processor time',
      unit: 'searches per CPU-second',
      floorName: 'JSON.parse and JSON.stringify of the same',
      pairs: 5,
      target: null,
      ours: () => Promise.resolve(perCpuSecond(scrubText)),
      floor: () => Promise.resolve(perCpuSecond(parsedAndWritten)),
    },
    say,
  );

/** A document that a slow log holds whole: all of its kinds of values again and again. */
function oneLargeEntry(say: (line: string) => void): Promise<ComparisonResult> {
  const times = Math.ceil(megabyte / typicalSources.join(',').length);
  const large = `[${Array.from({ length: times }, () => typicalSources.join(',')).join(',')}]`;
  const msFor = (act: () => void): number => Math.min(...Array.from({ length: 3 }, () => processorMs(act)));
  return compare(
    {
      name: 'scrubbing of 1 MB of JSON, all rules and passes, processor time',
      unit: 'ms',
      floorName: 'JSON.parse and JSON.stringify of the same',
      pairs: 5,
      target: null,
      ours: () => Promise.resolve(msFor(() => void scrubText(large))),
      floor: () => Promise.resolve(msFor(() => void parsedAndWritten(large))),
    },
    say,
  );
}

const parsedAndWritten = (text: string): string => JSON.stringify(JSON.parse(text));

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

/** In user mode and in the kernel: what else runs on the machine is hardly in it. */
function processorMs(act: () => void): number {
  const before = process.cpuUsage();
  act();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
