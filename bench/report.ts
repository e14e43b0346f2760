import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { figure, type ComparisonResult } from './comparison.js';

const begin = '<!-- measured: begin -->';
const end = '<!-- measured: end -->';

/** The machine that a table was measured on: a figure without it says nothing. */
export function machine(): string {
  const model = cpus()[0]?.model ?? 'unknown processor';
  return `${cpus().length} × ${model}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}, ${process.platform} ${process.arch}`;
}

function row(result: ComparisonResult): string {
  const target = 'atLeast' in result.target ? `≥ ${result.target.atLeast}` : `≤ ${result.target.atMost}`;
  const [low, high] = result.spread;
  return `| ${result.name} | ${result.unit} | ${figure(result.ours)} | ${figure(result.floor)} (${result.floorName}) | ${result.ratio.toFixed(2)} (${low.toFixed(2)}–${high.toFixed(2)}) | ${target} | ${result.met ? 'met' : '**not met**'} |`;
}

export function table(results: readonly ComparisonResult[], day: string): string {
  return [
    `Measured on ${day}: ${machine()}; load generator, servers and Kafka on the same machine.`,
    '',
    '| what | unit | ours | floor | ratio (lowest–highest pair) | target | |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...results.map(row),
  ].join('\n');
}

/** Replaces the measured part of a document; the prose around it stays. */
export function writeReport(document: string, results: readonly ComparisonResult[], day: string): void {
  const text = readFileSync(document, 'utf8');
  const [before, rest] = [text.slice(0, text.indexOf(begin)), text.slice(text.indexOf(end))];
  writeFileSync(document, `${before}${begin}\n\n${table(results, day)}\n\n${rest}`);
}
