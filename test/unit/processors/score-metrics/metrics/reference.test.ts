import assert from 'node:assert/strict';
import { textMeasures } from '../../../../../processors/score-metrics/metrics/text-measures.js';
import { AnalysedText } from '../../../../../processors/score-metrics/metrics/text/analysed-text.js';
import {
  haveReferenceTexts,
  referenceRows,
  referenceSets,
  type ReferenceRow,
} from '../../../../support/reference-texts.js';

/** Rows that must be equal, of all rows that have the key. */
const wanted = 0.999;

function expectedOf(row: ReferenceRow): Readonly<Record<string, unknown>> {
  return {
    ...row.textstat_whylabs_0_7_4,
    ...(row.has_patterns === undefined ? {} : { has_patterns: row.has_patterns }),
    ...(row.sentiment_nltk === undefined ? {} : { sentiment_lexicon: row.sentiment_nltk }),
  };
}

describe('the text measures against the reference implementations', () => {
  for (const set of referenceSets) {
    it(`are equal on ${set}, key by key`, function () {
      if (!haveReferenceTexts()) this.skip();
      const rows = new Map<string, { all: number; differences: string[] }>();
      for (const row of referenceRows(set)) {
        const { values } = textMeasures('prompt', new AnalysedText(row.text));
        for (const [key, expected] of Object.entries(expectedOf(row))) {
          const seen = rows.get(key) ?? { all: 0, differences: [] };
          seen.all += 1;
          const got = values[`prompt.${key}`];
          if (got !== expected) {
            seen.differences.push(
              `${key}: ${String(got)}, not ${String(expected)}: ${JSON.stringify(row.text)}`,
            );
          }
          rows.set(key, seen);
        }
      }
      for (const { all, differences } of rows.values()) {
        if (differences.length > 0) console.log(differences.join('\n'));
        assert.ok(differences.length <= all * (1 - wanted), differences.join('\n'));
      }
      assert.ok(rows.size > 0);
    });
  }
});
