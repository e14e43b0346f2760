import assert from 'node:assert/strict';
import fc from 'fast-check';
import { patternNames } from '../../../../../processors/score-metrics/metrics/patterns/groups.js';
import { textMeasures } from '../../../../../processors/score-metrics/metrics/text-measures.js';
import { AnalysedText } from '../../../../../processors/score-metrics/metrics/text/analysed-text.js';

const measure = (text: string): Readonly<Record<string, unknown>> =>
  textMeasures('prompt', new AnalysedText(text)).values;
const number = (values: Readonly<Record<string, unknown>>, key: string): number => {
  const value = values[`prompt.${key}`];
  assert.ok(typeof value === 'number', `${key} is ${String(value)}`);
  return value;
};

/** Any string: whole characters, lone surrogates, control characters; and texts that look like language. */
const anyText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 200 })
    .map((units) => String.fromCharCode(...units)),
  fc
    .array(
      fc.constantFrom('good', 'BAD', 'not', 'kind', 'of', 'but', 'never', 'so', '!', '?', '.', '42', 'Ωμέγα'),
    )
    .map((words) => words.join(' ')),
);

describe('the text measures', () => {
  it('are finite numbers, but for the pattern and the personal data, for any string', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { values } = textMeasures('prompt', new AnalysedText(text));
        for (const [key, value] of Object.entries(values)) {
          if (typeof value === 'number') assert.ok(Number.isFinite(value), key);
          else assert.ok(['prompt.has_patterns', 'prompt.pii_engine.result'].includes(key), key);
        }
      }),
    );
  });

  it('are the same whenever they are taken', () => {
    fc.assert(fc.property(anyText, (text) => assert.deepEqual(measure(text), measure(text))));
  });

  it('name one of the pattern groups, or none', () => {
    const names: readonly unknown[] = [...patternNames, null];
    fc.assert(
      fc.property(anyText, (text) => assert.ok(names.includes(measure(text)['prompt.has_patterns']))),
    );
  });

  it('keep the sentiment between -1 and 1', () => {
    fc.assert(
      fc.property(anyText, (text) => assert.ok(Math.abs(number(measure(text), 'sentiment_lexicon')) <= 1)),
    );
  });

  it('count consistently', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const values = measure(text);
        const words = number(values, 'lexicon_count');
        assert.ok(number(values, 'letter_count') <= number(values, 'character_count'));
        assert.ok(number(values, 'character_count') <= Array.from(text).length);
        assert.ok(words <= number(values, 'letter_count'));
        assert.ok(number(values, 'monosyllable_count') + number(values, 'polysyllable_count') <= words);
        assert.ok(number(values, 'syllable_count') >= 3 * number(values, 'polysyllable_count'));
        assert.ok(number(values, 'sentence_count') >= 1);
        assert.ok(number(values, 'sentence_count') <= Math.max(1, Math.floor(words / 3) + 1));
      }),
    );
  });

  it('count code points, not UTF-16 units', () => {
    assert.equal(number(measure('😀 𝔘'), 'character_count'), 2);
    assert.equal(number(measure('😀 𝔘'), 'letter_count'), 1);
  });

  it("have the reference's numbers for a text without words", () => {
    for (const text of ['', ' \n', '...', '😀']) {
      const values = measure(text);
      assert.equal(number(values, 'flesch_reading_ease'), 206.84);
      assert.equal(number(values, 'sentence_count'), 1);
      assert.equal(number(values, 'sentiment_lexicon'), 0);
    }
  });

  it('do not count characters as letters that Unicode 14 did not know', () => {
    assert.equal(number(measure('a\ua7cb\u{10d50}'), 'letter_count'), 1);
    assert.equal(number(measure('a\ua7cb\u{10d50}'), 'character_count'), 3);
  });
});
