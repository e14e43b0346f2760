import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** One text with the results of the reference implementations. The columns depend on the set. */
export interface ReferenceRow {
  readonly text: string;
  readonly has_patterns?: string | null;
  readonly sentiment_nltk?: number;
  readonly textstat_whylabs_0_7_4?: Readonly<Record<string, number>>;
}

/** The sets are next to the repository and not part of it. */
const folder = resolve('../shared/data/metrics');

export const referenceSets = [
  'langkit_reference',
  'langkit_reference_edge',
  'has_patterns_reference',
  'sentiment_vader',
] as const;

export function haveReferenceTexts(): boolean {
  return existsSync(folder);
}

export function referenceRows(set: (typeof referenceSets)[number]): readonly ReferenceRow[] {
  const lines = gunzipSync(readFileSync(resolve(folder, `${set}.jsonl.gz`))).toString('utf8');
  return lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as ReferenceRow);
}

/** The expected values of a row by key, without the role of the text. */
export function expectedOf(row: ReferenceRow): Readonly<Record<string, unknown>> {
  return {
    ...row.textstat_whylabs_0_7_4,
    ...(row.has_patterns === undefined ? {} : { has_patterns: row.has_patterns }),
    ...(row.sentiment_nltk === undefined ? {} : { sentiment_lexicon: row.sentiment_nltk }),
  };
}
