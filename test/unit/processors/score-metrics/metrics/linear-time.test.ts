import assert from 'node:assert/strict';
import { textMeasures } from '../../../../../processors/score-metrics/metrics/text-measures.js';
import { AnalysedText } from '../../../../../processors/score-metrics/metrics/text/analysed-text.js';
import { assertLinearTime } from '../../../../support/processor-time.js';

const characters = 100_000;
const filled = (pattern: string, end = ''): string =>
  pattern.repeat(Math.ceil(characters / pattern.length)).slice(0, characters - end.length) + end;

/** For each regular expression and loop, a text that would make it retry from every character. */
const worstCases: Readonly<Record<string, string>> = {
  'digits without end': filled('7'),
  'digits that nearly make a security number': filled('123-45-678 '),
  'digits that nearly make a card': filled('1234-1234-1234-'),
  'plus signs before spaces and digits': filled('+ 1234567 89'),
  'a plus sign and spaces': '+' + filled(' '),
  'three digits and separators': filled('123 456-'),
  'a number and spaces without a street': '1' + filled(' '),
  'a number, a direction and spaces': '1 N' + filled(' '),
  'numbers, spaces and names without a kind of street': filled('1 N. 12345abc  '),
  'a number and a name without end': '12 ' + filled('a'),
  'a number, a name and spaces': '12 a' + filled(' '),
  'numbers one after another': filled('1 '),
  'the name of an address without an @': filled('a.b-c'),
  'the name of an address': filled('a.b-c', '@a.bc'),
  'a phone number and a name without end': '1234567890' + filled('a'),
  '@ after @': filled('a@'),
  'a domain without a dot': 'a@' + filled('b'),
  'a domain of dots': 'a@' + filled('.'),
  'a domain of single letters': 'a@' + filled('b.'),
  'marks without words': filled('!?'),
  'marks before a letter': filled('!', 'a'),
  'a letter before marks': 'aa' + filled('!'),
  'marks around letters': filled('!aa'),
  'one word': filled('e'),
  'underscores around nothing': filled('_'),
  'the same word': filled('good '),
  'different words': Array.from({ length: 15_000 }, (_, index) => `w${index.toString(36)}`).join(' '),
  'different rated words': filled('not GOOD, kind of BAD! never so great but '),
  'white space': filled(' '),
  'sentences of one word': filled('a. '),
  apostrophes: filled("'"),
  'capital sigmas': filled('Σ'),
  'sigmas and what a letter may follow': filled("Σ'"),
  'letters of two units': filled('𝔘'),
  'unassigned characters': filled('\u{e01f0}'),
  'lone surrogates': filled('\ud800'),
  'digits of another script': filled('٣'),
  'spaces of another script': '٣' + filled('\u2003'),
  zeros: filled('\0'),
};

describe('the text measures of 100,000 characters', () => {
  for (const [name, text] of Object.entries(worstCases)) {
    it(`take linear time: ${name}`, () => {
      const measures = (of: string): ReturnType<typeof textMeasures> =>
        textMeasures('prompt', new AnalysedText(of));
      assertLinearTime(text, measures);
      for (const [key, value] of Object.entries(measures(text).values)) {
        assert.ok(typeof value !== 'number' || Number.isFinite(value), key);
      }
    });
  }
});
