import { asPiiResult } from '../../processors/score-metrics/metrics/pii/pii-result.js';
import { recognizeAsReference } from '../../processors/score-metrics/metrics/pii/reference/recognize.js';
import { labelledRows } from './labelled-data.js';
import type { Share } from './pii-measures.js';

interface ReferenceRow {
  readonly text: string;
  readonly pii_presidio_2_2_353: unknown;
  readonly pii_presidio_2_2_366: unknown;
}

/** How many texts get exactly the reference's list: types, code-point offsets, scores and order. */
export function referenceAgreement(set: string, version: '353' | '366'): Share | null {
  const rows = labelledRows(set) as readonly ReferenceRow[] | null;
  if (rows === null) return null;
  const rest: string[] = [];
  for (const row of rows) {
    const expected = JSON.stringify(row[`pii_presidio_2_2_${version}`]);
    const found = JSON.stringify(JSON.parse(asPiiResult(row.text, recognizeAsReference(row.text))));
    if (found !== expected)
      rest.push(`${JSON.stringify(row.text.slice(0, 80))} found ${found} not ${expected}`);
  }
  return { right: rows.length - rest.length, of: rows.length, rest };
}
