import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isComparedByCall } from '../../../../../../agent/slowlogs/scrub/rules/equals-calls.js';
import { Units } from '../../../../../../agent/slowlogs/scrub/units.js';

/** What is read by hand, as an expression says it. */
const expression = /(?<=[eE]quals\([^()"'`\n]{0,30}["'`]?[\w.-]{1,120}["'`]?\]?(?:\.value)?),/y;
const pieces = [
  'equals(',
  'Equals(',
  'quals(',
  'doc[',
  '"',
  "'",
  ']',
  '.value',
  'value',
  'a',
  '(',
  ')',
  '\n',
  ',',
];
const lengths = [20, 30, 60, 119, 120].map((length) => 'x'.repeat(length));

describe('the first argument of a call that compares', () => {
  it('is found where an expression that looks back finds it', () => {
    const piece = fc.constantFrom(...pieces, ...lengths);
    fc.assert(
      fc.property(fc.boolean(), fc.array(piece, { maxLength: 7 }), (isCalled, parts) => {
        const before = `${isCalled ? 'equals(' : ''}${parts.join('')}`;
        expression.lastIndex = before.length;
        const units = new Units(`${before},`);
        assert.equal(isComparedByCall(units, before.length), expression.test(units.text));
      }),
      { numRuns: 2_000 },
    );
  });
});
