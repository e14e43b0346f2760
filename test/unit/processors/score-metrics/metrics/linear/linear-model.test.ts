import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  featuresInParts,
  linearModel,
} from '../../../../../../processors/score-metrics/metrics/linear/linear-model.js';
import {
  textFeatures,
  trainedShape,
} from '../../../../../../processors/score-metrics/metrics/linear/text-features.js';
import { readModel } from '../../../../../../processors/score-metrics/models/read-model.js';

const shape = { characters: { shortest: 2, longest: 3 }, words: { longest: 2 }, buckets: 64 };
const unit = (...values: number[]): Float32Array => Float32Array.from(values);
const of = (text: string, windows = 1) => featuresInParts(text, windows, shape);
const model = (weights: Record<number, number>, bias = 0) =>
  linearModel({
    version: 'test/1',
    embedding: 'test',
    features: shape,
    bias,
    vector: [2, -2],
    hashed: {
      scale: 1,
      bytes: Buffer.from(Int8Array.from({ length: 128 }, (_, i) => weights[i] ?? 0).buffer).toString(
        'base64',
      ),
    },
    provenance: null,
  });

describe('a linear model', () => {
  it('gives the probability that its weights say', () => {
    const neutral = model({});
    assert.equal(neutral(of(''), [unit(1, 1)]), 0.5);
    assert.ok(Math.abs(neutral(of(''), [unit(1, 0)]) - 1 / (1 + Math.exp(-2))) < 1e-12);
  });

  it('also uses the characters', () => {
    const { at } = textFeatures('bad', shape);
    const weighted = model(Object.fromEntries(Array.from(at, (index) => [index, 3])));
    assert.ok(weighted(of('bad'), [unit(0, 0)]) > 0.9);
    assert.equal(weighted(of(''), [unit(0, 0)]), 0.5);
  });

  it('scores the worst window of a long text, however harmless the whole', () => {
    const neutral = model({});
    const tail = neutral(of('long text', 3), [unit(0, 1), unit(0, 1), unit(1, 0)]);
    assert.equal(tail, neutral(of(''), [unit(1, 0)]));
  });

  it('of the project is trained with the features that texts are given', () => {
    for (const name of ['toxicity', 'injection'] as const)
      assert.deepEqual(readModel(name).features, trainedShape);
  });

  it('gives a probability for any text at all', () => {
    const shipped = (['toxicity', 'injection'] as const).map((name) => linearModel(readModel(name)));
    const vector = new Float32Array(384).fill(1 / Math.sqrt(384));
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        for (const score of shipped) {
          const probability = score(featuresInParts(text, 1), [vector]);
          assert.ok(probability >= 0 && probability <= 1);
        }
      }),
    );
  });
});

describe('features of a text', () => {
  it('are two parts of length 1, and none for an empty text', () => {
    const { at, values } = textFeatures('Some words, some more words', shape);
    const length = (inPart: (index: number) => boolean): number =>
      Math.hypot(...values.filter((_, i) => inPart(at[i] ?? NaN)));
    assert.ok(Math.abs(length((index) => index < 64) - 1) < 1e-12);
    assert.ok(Math.abs(length((index) => index >= 64) - 1) < 1e-12);
    assert.equal(textFeatures('', shape).at.length, 0);
  });

  it('do not depend on case or on the width of characters', () => {
    assert.deepEqual(textFeatures('ＢＡＤ Word', shape), textFeatures('bad word', shape));
  });

  it('do not depend on characters that readers do not see', () => {
    const invisible = fc.constantFrom(
      '\u200b',
      '\u200d',
      '\u2060',
      '\u00ad',
      '\ufeff',
      '\ufe0f',
      '\u{e0041}',
    );
    fc.assert(
      fc.property(fc.lorem(), fc.nat(40), invisible, (text, at, hidden) => {
        const place = Math.min(at, text.length);
        const marked = text.slice(0, place) + hidden + text.slice(place);
        assert.deepEqual(textFeatures(marked, shape), textFeatures(text, shape));
      }),
    );
    assert.deepEqual(textFeatures('cafe\u200b\u0301', shape), textFeatures('caf\u00e9', shape));
  });
});
