import assert from 'node:assert/strict';
import fc from 'fast-check';
import { piiEntities } from '../../../../../../processors/score-metrics/metrics/pii/entities.js';
import { cleanMode, recognizePii } from '../../../../../../processors/score-metrics/metrics/pii/recognize.js';
import { recognizeAsReference } from '../../../../../../processors/score-metrics/metrics/pii/reference/recognize.js';
import { runs } from '../../../../../support/properties.js';

const types = (text: string, options = cleanMode): string[] =>
  recognizePii(text, options).map(({ type }) => type);

/** Pieces that recognizers look for, so that random texts nearly match. */
const piece = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc.constantFrom(
    '\ud83d',
    '\udc00',
    '😀',
    ' ',
    '-',
    '.',
    ':',
    '::',
    '@',
    '(',
    ')',
    '+',
    '/',
    'call ',
    'card ',
    'ssn ',
  ),
  fc.constantFrom(
    'https://',
    'www.',
    '.com',
    'DE75',
    'bc1q',
    '4539',
    '5787',
    '6362',
    '1486',
    '203.0.113.7',
    'AB1234563',
  ),
  fc.stringMatching(/^[0-9]{1,9}$/),
);
const texts = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''));

describe('the recognition of personal data', () => {
  it('finds each entity in a text that names them all', () => {
    const text =
      'Card 4539578763621486, wallet 1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa, mail jane@example.org, ' +
      'IBAN DE75512108001245126199, host 203.0.113.7, call (212) 736-5000, DEA AB1234563, see https://example.org/a, ' +
      'bank account 8273645190, driver license F2553459, ITIN 912-70-1234, passport 483920175, SSN 536-22-8726.';
    assert.deepEqual(types(text).sort(), [...piiEntities].sort());
  });

  it('takes the better of two that overlap', () => {
    assert.deepEqual(types('jane@example.org'), ['EMAIL_ADDRESS']);
    assert.deepEqual(types('https://example.org/?card=4539578763621486'), ['CREDIT_CARD']);
  });

  it('leaves out what scores below the threshold, and takes it when the threshold is lowered', () => {
    assert.deepEqual(types('item 536228726'), []);
    assert.ok(types('item 536228726', { threshold: 0, resolveOverlaps: false }).includes('US_SSN'));
  });

  it('looks only for the entities it is asked for', () => {
    const options = { ...cleanMode, entities: new Set(['URL' as const]) };
    assert.deepEqual(types('jane@example.org 203.0.113.7 http://example.org', options), ['URL']);
  });

  it('gives valid, ordered spans without overlaps, the same each time, for any text', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const spans = recognizePii(text);
        let end = 0;
        for (const span of spans) {
          assert.ok(span.start >= end && span.end > span.start && span.end <= text.length);
          assert.ok(span.score >= 0.35 && span.score <= 1);
          end = span.end;
        }
        assert.deepEqual(recognizePii(text), spans);
      }),
      { numRuns: runs(100) },
    );
  });

  it("gives valid spans in the reference's mode, for any text", () => {
    fc.assert(
      fc.property(texts, (text) => {
        for (const { start, end, score } of recognizeAsReference(text)) {
          assert.ok(start >= 0 && end > start && end <= text.length && score > 0 && score <= 1);
        }
      }),
      { numRuns: runs(50) },
    );
  });
});
