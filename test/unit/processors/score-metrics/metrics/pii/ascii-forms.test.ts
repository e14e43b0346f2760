import assert from 'node:assert/strict';
import fc from 'fast-check';
import { inAsciiForms } from '../../../../../../processors/score-metrics/metrics/pii/ascii-forms.js';
import { recognizePii } from '../../../../../../processors/score-metrics/metrics/pii/recognize.js';

const found = (text: string): string[] =>
  recognizePii(text).map(({ type, start, end }) => `${type} ${text.slice(start, end)}`);

describe('the ASCII forms of a text', () => {
  it('have plain spaces, letters, digits, and the marks that join them', () => {
    assert.equal(inAsciiForms('a\u00a0b\u202fc\u3000d'), 'a b c d');
    assert.equal(inAsciiForms('Ａｂ１'), 'Ab1');
    assert.equal(inAsciiForms('ａ＠ｂ．ｃｏｍ'), 'a@b.com');
    assert.equal(inAsciiForms('＋１（２１２）７３６－５０００'), '+1(212)736-5000');
    for (const dash of '\u2010\u2011\u2012\u2013\u2014\u2015\u2212')
      assert.equal(inAsciiForms(`1${dash}2`), '1-2');
  });

  it('keep dashes and wide marks that separate parts of a sentence', () => {
    for (const text of ['me—4155550142', '1914 – 1918', '好，１', 'a.com（b）', '看：好'])
      assert.equal(inAsciiForms(text).replace('1', '１'), text.replace('1', '１'), text);
  });

  it('have as many code units as the text, and change no ASCII text', () => {
    const units = fc.string({ unit: 'binary' });
    const typographic = fc.stringMatching(/^[\u2010-\u2015\u00a0\u202f\uff01-\uff5e0-9a-z ]{0,20}$/);
    fc.assert(
      fc.property(
        fc.array(fc.oneof(units, typographic)),
        fc.string({ unit: 'binary-ascii' }),
        (pieces, ascii) => {
          const text = pieces.join('');
          assert.equal(inAsciiForms(text).length, text.length);
          assert.equal(inAsciiForms(ascii), ascii);
        },
      ),
    );
  });

  it('let each kind of number be found in typographic text, at its original place', () => {
    const numbers = [
      'PHONE_NUMBER 212-736-5000',
      'US_SSN 536-22-8726',
      'CREDIT_CARD 5425-2334-3010-9903',
      'IBAN_CODE DE75-5121-0800-1245-1261-99',
    ];
    for (const dash of '\u2010\u2011\u2012\u2013\u2014\u2212\uff0d')
      for (const number of numbers.map((plain) => plain.replaceAll('-', dash)))
        assert.deepEqual(found(`mine: ${number.split(' ')[1] ?? ''} ok`), [number]);
    for (const space of '\u00a0\u202f') {
      const number = '5425 2334 3010 9903'.replaceAll(' ', space);
      assert.deepEqual(found(`with ${number}.`), [`CREDIT_CARD ${number}`]);
    }
    assert.deepEqual(found('😀 ＳＳＮ ５３６－２２－８７２６'), ['US_SSN ５３６－２２－８７２６']);
    assert.deepEqual(found('ｊａｎｅ＠ｅｘａｍｐｌｅ．ｏｒｇ'), [
      'EMAIL_ADDRESS ｊａｎｅ＠ｅｘａｍｐｌｅ．ｏｒｇ',
    ]);
  });
});
