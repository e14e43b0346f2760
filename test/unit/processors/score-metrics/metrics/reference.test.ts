import assert from 'node:assert/strict';
import { textMeasures } from '../../../../../processors/score-metrics/metrics/text-measures.js';
import { AnalysedText } from '../../../../../processors/score-metrics/metrics/text/analysed-text.js';
import {
  expectedOf,
  haveReferenceTexts,
  referenceRows,
  referenceSets,
} from '../../../../support/reference-texts.js';

describe('the text measures against the reference implementations', () => {
  for (const set of referenceSets) {
    it(`are equal on every row of ${set}, key by key`, function () {
      if (!haveReferenceTexts()) this.skip();
      const keys = new Set<string>();
      const differences: string[] = [];
      for (const row of referenceRows(set)) {
        const { values } = textMeasures('prompt', new AnalysedText(row.text));
        for (const [key, expected] of Object.entries(expectedOf(row))) {
          keys.add(key);
          const got = values[`prompt.${key}`];
          if (got !== expected) {
            differences.push(`${key}: ${String(got)}, not ${String(expected)}: ${JSON.stringify(row.text)}`);
          }
        }
      }
      assert.deepEqual(differences, []);
      assert.ok(keys.size > 0);
    });
  }
});
