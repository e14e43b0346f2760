import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  meanOverSentences,
  passagesOf,
} from '../../../../../../processors/score-metrics/metrics/hallucination/passages.js';

describe('passages', () => {
  it('are the sentences if there are few', () => {
    assert.deepEqual(passagesOf(['a', 'b'], 2), [
      { text: 'a', sentences: 1 },
      { text: 'b', sentences: 1 },
    ]);
  });

  it('hold every sentence once, in order, in sizes that differ by one at most', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 40 }), (count, atMost) => {
        const sentences = Array.from({ length: count }, (_, at) => String(at));
        const passages = passagesOf(sentences, atMost);
        assert.equal(passages.map(({ text }) => text).join(' '), sentences.join(' '));
        assert.equal(passages.length, Math.min(count, atMost));
        const sizes = passages.map((passage) => passage.sentences);
        assert.ok(Math.max(...sizes) - Math.min(...sizes) <= 1);
      }),
    );
  });

  it('are weighted by their number of sentences', () => {
    assert.equal(meanOverSentences(passagesOf(['a', 'b', 'c'], 2), [0, 1]), 2 / 3);
  });
});
