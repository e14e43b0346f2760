import assert from 'node:assert/strict';
import fc from 'fast-check';
import { JsonCheck } from '../../../../../agent/slowlogs/scrub/json-check.js';
import { unescaped } from '../../../../../agent/slowlogs/scrub/json-strings.js';
import { Units } from '../../../../../agent/slowlogs/scrub/units.js';

/** What `JSON.parse` says of a text that was escaped so many times. */
function isParsed(text: string, depth: number): boolean {
  const read = unescaped(text, depth);
  if (read === null) return false;
  try {
    JSON.parse(read);
    return true;
  } catch {
    return false;
  }
}

const escaped = (text: string, depth: number): string =>
  depth === 0 ? text : escaped(JSON.stringify(text).slice(1, -1), depth - 1);

/** What JSON consists of, and what it may not hold. */
const piece = fc.constantFrom(
  ...[
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"',
    '"a"',
    '"a":',
    '""',
    '0',
    '1',
    '-',
    '-1',
    '.5',
    '1.',
    'e3',
    'E-2',
    '+',
  ],
  ...['true', 'false', 'null', 'nul', ' ', '\n', '\t', '\r', '\f', '\u00a0', '\\', '\\"', '\\n', '\\u0041'],
  ...['\\u00g1', '\\u005c', '\\u0022', '\\x', '\\/', 'é', '\ud800', '\u2028', '\u0000', '\\\\', '\\\\"'],
);
const nearlyJson = fc.oneof(
  fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
  fc.json(),
  fc
    .tuple(fc.json(), fc.nat(), piece, fc.nat(3))
    .map(([json, at, put, cut]) => `${json.slice(0, at % 40)}${put}${json.slice((at % 40) + cut)}`),
);

describe('a check of JSON', () => {
  it('says of a stretch of a text what parsing says of it, however often it was escaped', () => {
    fc.assert(
      fc.property(nearlyJson, fc.nat(3), fc.nat(3), piece, (json, times, depth, around) => {
        const text = escaped(json, times);
        const check = new JsonCheck(new Units(`${around}${text}${around}`));
        const isValue = check.isValue(around.length, around.length + text.length, depth);
        assert.equal(isValue, isParsed(text, depth));
      }),
      { numRuns: 5_000 },
    );
  });

  it('goes through brackets without end', () => {
    const [open, close] = ['['.repeat(200_000), ']'.repeat(200_000)];
    assert.equal(new JsonCheck(new Units(open + close)).isValue(0, 400_000, 0), true);
    assert.equal(new JsonCheck(new Units(open)).isValue(0, 200_000, 0), false);
  });
});
