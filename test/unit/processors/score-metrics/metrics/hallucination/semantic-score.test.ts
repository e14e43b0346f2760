import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Embed } from '../../../../../../processors/score-metrics/metrics/language-model/ask.js';
import {
  cosine,
  semanticScore,
} from '../../../../../../processors/score-metrics/metrics/hallucination/semantic-score.js';

/** Gives each text its own direction, unless the table has one for it. */
function embedBy(table: Readonly<Record<string, readonly number[]>>, seen: string[][] = []): Embed {
  return (texts) => {
    seen.push([...texts]);
    return Promise.resolve(texts.map((text) => table[text] ?? assert.fail(`no vector for ${text}`)));
  };
}

describe('semantic score', () => {
  const table = { 'A one.': [1, 0], 'B two.': [0, 1], 'C three.': [0.6, 0.8] };

  it('is 0 if every sentence is in every sample', async () => {
    assert.equal(await semanticScore('A one. B two.', ['B two. A one.', 'A one. B two.'], embedBy(table)), 0);
  });

  it('is 1 if no sentence has anything in common with any sample', async () => {
    assert.equal(await semanticScore('A one.', ['B two.', 'B two.'], embedBy(table)), 1);
  });

  it('takes the best sentence of a sample, then the mean over samples, then over sentences', async () => {
    const score = await semanticScore('A one. B two.', ['C three. B two.', 'C three.'], embedBy(table));
    // A: (0.6 + 0.6) / 2; B: (1 + 0.8) / 2.
    assert.ok(Math.abs(score - (1 - (0.6 + 0.9) / 2)) < 1e-12);
  });

  it('embeds each text once, all in one go', async () => {
    const seen: string[][] = [];
    await semanticScore('A one. A one. B two.', ['A one.', 'B two.'], embedBy(table, seen));
    assert.deepEqual(seen, [['A one.', 'B two.']]);
  });

  it('costs a bounded number of vectors, however long the texts', async () => {
    let vectors = 0;
    const embed: Embed = (texts) => {
      vectors += texts.length;
      return Promise.resolve(texts.map((_, at) => [1, at]));
    };
    const score = await semanticScore('Ab. '.repeat(25_000), ['Cd. '.repeat(25_000)], embed);
    assert.ok(Number.isFinite(score));
    assert.ok(vectors <= 400);
  });
});

describe('cosine', () => {
  it('is 0 for a vector of length 0, and for an empty one', () => {
    assert.equal(cosine([0, 0], [1, 2]), 0);
    assert.equal(cosine([], [1]), 0);
  });

  it('is in -1..1, and 1 for a vector with itself', () => {
    const vector = fc.array(fc.float({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 }), {
      minLength: 3,
      maxLength: 3,
    });
    fc.assert(
      fc.property(vector, vector, (left, right) => {
        assert.ok(Math.abs(cosine(left, right)) <= 1);
        if (left.some((value) => Math.abs(value) > 1e-3)) assert.ok(cosine(left, left) > 0.999999);
      }),
    );
  });
});
