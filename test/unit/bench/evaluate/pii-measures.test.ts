import assert from 'node:assert/strict';
import {
  f1Of,
  generalTexts,
  structuredSpans,
  sumOf,
  unitCases,
} from '../../../../bench/evaluate/pii-measures.js';
import { piiEntities } from '../../../../processors/score-metrics/metrics/pii/entities.js';

/** The minimum figures on the labelled sets, if those are present. */
describe('the recognition of personal data, measured', () => {
  it('reaches a span F1 of 0.93 over the structured types', function () {
    const counts = structuredSpans();
    if (counts === null) this.skip();
    assert.ok(f1Of(sumOf(counts.values())) >= 0.93);
  });

  for (const [asked, threshold] of [
    ['each recognizer alone', 0],
    ['the default settings', 0.35],
  ] as const) {
    it(`gets 0.97 of the unit cases right with ${asked}`, function () {
      const share = unitCases(new Set(piiEntities), threshold);
      if (share === null) this.skip();
      assert.ok(share.right / share.of >= 0.97, share.rest.join('\n'));
    });
  }

  it('flags at most ten of a thousand general texts', function () {
    const share = generalTexts();
    if (share === null) this.skip();
    assert.ok(share.right / share.of >= 0.99, share.rest.join('\n'));
  });
});
