import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

/** Labelled sets, only next to the checkout. Evaluations measure on them; bench/train/ learns from some. */
const folder = '../shared/data/metrics';

/** The rows of a set, or null if it is not here. */
export function labelledRows(set: string): readonly unknown[] | null {
  const file = `${folder}/${set}.jsonl.gz`;
  if (!existsSync(file)) return null;
  const lines = gunzipSync(readFileSync(file)).toString('utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as unknown);
}
