import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  piiScorer,
  defaultPiiSettings,
  type PiiScore,
} from '../processors/score-metrics/metrics/pii/score-pii.js';
import { labelledRows } from './evaluate/labelled-data.js';

/** Long enough to hide compilation and warm-up. */
const measuredMs = 4_000;

/** Texts per second of CPU time, one thread, after one pass to warm up. */
function textsPerCpuSecond(score: (text: string) => PiiScore, texts: readonly string[]): number {
  for (const text of texts) score(text);
  let scored = 0;
  const begin = process.cpuUsage();
  let used = 0;
  while (used < measuredMs) {
    for (const text of texts) score(text);
    scored += texts.length;
    const { user, system } = process.cpuUsage(begin);
    used = (user + system) / 1_000;
  }
  return (1_000 * scored) / used;
}

function worstOf(score: (text: string) => PiiScore, units: readonly string[]): string {
  const length = 100_000;
  const timed = units.map((unit) => {
    const begin = performance.now();
    score(unit.repeat(length / unit.length));
    return { unit, ms: performance.now() - begin };
  });
  const { unit, ms } = timed.reduce((worst, each) => (each.ms > worst.ms ? each : worst));
  return `${ms.toFixed(0)} ms (${JSON.stringify(unit)} repeated)`;
}

/** The PII metric on general texts, clean mode; null if they are not here. */
export function measurePii(): number | null {
  const texts = generalTexts();
  return texts === null ? null : textsPerCpuSecond(piiScorer(), texts);
}

function generalTexts(): readonly string[] | null {
  const rows = labelledRows('halu_general_human') as readonly { prompt: string; response: string }[] | null;
  return rows?.flatMap(({ prompt, response }) => [prompt, response]) ?? null;
}

function print(): void {
  const texts = generalTexts();
  if (texts === null) {
    console.log('halu_general_human: skipped, the set is not here');
    return;
  }
  const characters = texts.reduce((sum, text) => sum + text.length, 0) / texts.length;
  console.log(`${texts.length} prompts and responses, ${characters.toFixed(0)} characters on average`);
  for (const mode of ['clean', 'langkit'] as const) {
    const score = piiScorer({ ...defaultPiiSettings, mode });
    const speed = textsPerCpuSecond(score, texts).toFixed(0);
    const worst = worstOf(score, worstUnits);
    console.log(`${mode}: ${speed} texts per CPU-second; 100,000 characters at worst ${worst}`);
  }
}

const worstUnits = ['1', '12 ', 'a.', '1:', '212-736-5000 ', 'a@a.', '4539-', 'http://a.co/( '];

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) print();
