import assert from 'node:assert/strict';
import fc from 'fast-check';
import { UnicodeMarks } from '../../../../../agent/slowlogs/scrub/unicode-marks.js';
import { assertLinearTime } from '../../../../support/processor-time.js';

/** What a string of JSON may hold. */
const piece = fc.constantFrom(
  '\\\\',
  '\\\\x22',
  'x22',
  '\\\\x5C',
  '\\u0022',
  'u0022',
  '\\"',
  '\\n',
  '\\u0041',
  'a',
  ' ',
);
const unescaped = (text: string): string => JSON.parse(`"${text}"`) as string;

describe('quotation marks that JSON writes by their number', () => {
  it('are written as backslashes escape them, however often they were escaped', () => {
    assert.equal(new UnicodeMarks('a\\u0022b').text, 'a\\"b');
    assert.equal(new UnicodeMarks('\\\\u0022').text, '\\\\\\"');
    assert.equal(new UnicodeMarks('u0022').text, 'u0022');
    let [spelt, plain] = ['\\u0022', '\\"'];
    for (let times = 1; times < 4; times += 1) {
      assert.equal(new UnicodeMarks(`{${spelt}a${spelt}`).text, `{${plain}a${plain}`);
      [spelt, plain] = [spelt, plain].map((text) => JSON.stringify(text).slice(1, -1)) as [string, string];
    }
  });

  it('are written so as well where nginx wrote them, with the backslashes before them', () => {
    assert.equal(new UnicodeMarks('a\\x22b').text, 'a\\"b');
    assert.equal(new UnicodeMarks('\\\\x22').text, '\\\\\\"');
    assert.equal(new UnicodeMarks('\\x5C\\x22').text, '\\\\\\"');
    assert.equal(new UnicodeMarks('\\x5C\\x5C\\x5C\\x22').text, `${'\\'.repeat(7)}"`);
    assert.equal(new UnicodeMarks('0x22, \\x21, x5C').text, '0x22, \\x21, x5C');
  });

  it('leave what a text says, and lead back to where they stood', () => {
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 12 }),
        fc.array(piece, { maxLength: 12 }),
        (before, behind) => {
          const source = `${before.join('')}|${behind.join('')}`;
          const marks = new UnicodeMarks(source);
          const [left, said] = [marks.text, source].map((text) => new UnicodeMarks(unescaped(text)).text);
          assert.equal(left, said);
          const at = source.indexOf('|');
          const found = { start: marks.text.indexOf('|'), end: marks.text.indexOf('|') + 1 };
          assert.deepEqual(marks.inSource([found]), [{ start: at, end: at + 1 }]);
          assert.deepEqual(marks.fromSource([{ start: at, end: at + 1 }]), [found]);
        },
      ),
    );
  });

  it('are found in time that grows with the length of a text', () => {
    for (const unit of ['\\u0022', '\\', '\\\\u0022,', '\\x5C', '\\x22,'])
      assertLinearTime(unit.repeat(400_000 / unit.length), (text) => new UnicodeMarks(text).text);
  });
});
