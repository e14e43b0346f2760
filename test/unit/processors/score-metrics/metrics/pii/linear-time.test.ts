import { recognizers } from '../../../../../../processors/score-metrics/metrics/pii/recognizers/all.js';
import { recognizeAsReference } from '../../../../../../processors/score-metrics/metrics/pii/reference/recognize.js';
import { recognizePii } from '../../../../../../processors/score-metrics/metrics/pii/recognize.js';
import { assertLinearTime } from '../../../../../support/processor-time.js';

/** What makes a careless expression try every way to cut a text: long runs, and runs that all but match. */
const worstCases: Readonly<Record<string, string>> = {
  digits: '1',
  'digits in pairs': '12 ',
  'digits behind dots': '1.',
  'digits behind hyphens': '4539-',
  'open brackets': '(1',
  'plus signs': '+1',
  letters: 'a',
  capitals: 'A',
  'labels of a host': 'a.',
  'hyphens of a host': 'a-',
  dots: '.',
  'colons and digits': '1:',
  'double colons': '::1 ',
  'at signs': 'a@',
  'at signs and dots': '@a.',
  'beginnings of IBANs': 'DE75 ',
  'an endless IBAN': 'DE755121',
  'beginnings of addresses': 'bc1q',
  'letters and digits': 'A1',
  schemes: 'http://a.co/(',
  'closing brackets': 'a.co/))))',
  phones: '212-736-5000 ',
  spaces: ' ',
  'lone surrogates': '\ud83d',
};
const length = 100_000;

describe('personal data in 100,000 characters', () => {
  for (const [name, unit] of Object.entries(worstCases)) {
    const text = unit.repeat(Math.ceil(length / unit.length)).slice(0, length);

    for (const recognizer of recognizers) {
      it(`${recognizer.entity} takes linear time over ${name}`, () => {
        assertLinearTime(text + '!', (found) => recognizer.find(found));
      });
    }

    it(`the reference's mode takes linear time over ${name}`, () => {
      assertLinearTime(text, recognizeAsReference);
    });

    it(`all of them take linear time over ${name}`, () => {
      assertLinearTime(text, recognizePii);
    });
  }
});
