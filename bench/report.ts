import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { format, resolveConfig } from 'prettier';
import { figure, type ComparisonResult } from './comparison.js';

const begin = '<!-- measured: begin -->';
const end = '<!-- measured: end -->';
const head = [
  '| what | unit | ours | floor | ratio (lowest–highest pair) | target | | measured |',
  '| --- | --- | --- | --- | --- | --- | --- | --- |',
];

/** The machine that a table was measured on: without it, a figure says nothing. */
export function machine(): string {
  const model = cpus()[0]?.model ?? 'unknown processor';
  return `${cpus().length} × ${model}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}, ${process.platform} ${process.arch}`;
}

/** When a figure was measured, and how busy the machine was before: the load average of the minute before the run. */
export interface Occasion {
  readonly day: string;
  readonly load: number;
}

function row(result: ComparisonResult, { day, load }: Occasion): string {
  const [low, high] = result.spread;
  return `| ${result.name} | ${result.unit} | ${figure(result.ours)} | ${figure(result.floor)} (${result.floorName}) | ${result.ratio.toFixed(2)} (${low.toFixed(2)}–${high.toFixed(2)}) | ${targetText(result)} | ${verdict(result)} | ${day}, load ${load.toFixed(1)} |`;
}

function targetText({ target }: ComparisonResult): string {
  if (target === null) return '—';
  return 'atLeast' in target ? `≥ ${Number(target.atLeast.toFixed(2))}` : `≤ ${target.atMost}`;
}

function verdict({ met }: ComparisonResult): string {
  if (met === null) return 'for information';
  return met ? 'met' : '**not met**';
}

const nameOf = (line: string): string => line.split('|')[1]?.trim() ?? '';

/** The rows of a table, with new measurements replacing the old; new rows are at the end. */
export function mergedRows(
  before: readonly string[],
  results: readonly ComparisonResult[],
  occasion: Occasion,
): readonly string[] {
  const measured = new Map(results.map((result) => [result.name, row(result, occasion)]));
  const kept = before.map((line) => measured.get(nameOf(line)) ?? line);
  const names = new Set(before.map(nameOf));
  return [...kept, ...[...measured].filter(([name]) => !names.has(name)).map(([, line]) => line)];
}

/**
 * Puts the results into the table of a document. Its other rows stay unless `all` was measured; the prose
 * around the table always stays.
 */
export async function writeReport(
  document: string,
  results: readonly ComparisonResult[],
  { all, ...occasion }: Occasion & { readonly all: boolean },
): Promise<void> {
  const text = readFileSync(document, 'utf8');
  const from = text.indexOf(begin);
  const to = text.indexOf(end);
  const rowsBefore = text
    .slice(from, to)
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(head.length);
  const rows = mergedRows(all ? [] : rowsBefore, results, occasion);
  const measuredOn = `Measured on ${machine()}; load generator, servers and Kafka on the same machine.`;
  const table = [measuredOn, '', ...head, ...rows].join('\n');
  const whole = `${text.slice(0, from)}${begin}\n\n${table}\n\n${text.slice(to)}`;
  writeFileSync(document, await format(whole, { ...(await resolveConfig(document)), parser: 'markdown' }));
}
