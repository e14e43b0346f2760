import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isNumber, looksCredential } from '../../../../../../agent/slowlogs/scrub/doubtful.js';
import { eachLongWord } from '../../../../../../agent/slowlogs/scrub/rules/long-words.js';
import { Runs } from '../../../../../../agent/slowlogs/scrub/rules/runs.js';
import { WordLooks } from '../../../../../../agent/slowlogs/scrub/rules/word-looks.js';
import { spanOf, type Span } from '../../../../../../agent/slowlogs/scrub/span.js';
import { Units } from '../../../../../../agent/slowlogs/scrub/units.js';

const alphabets = ['ab', 'abcdefghijklmnopqrstuvwxyz', '0123456789abcdef', 'aB1', 'AZaz09+/=_-', 'é*%^?$.'];
const piece = fc.oneof(
  fc.constantFrom('550e8400-e29b-41d4-a716-446655440000', '2024-01-02', 'sk_live_', '**', '.*', 'abcdefghij'),
  ...alphabets.map((letters) =>
    fc.string({ unit: fc.constantFrom(...letters.split(/(?:)/u)), maxLength: 40 }),
  ),
  fc.string({
    unit: fc.constantFrom('a', 'b', 'c', 'X', 'Y', 'Z', '0', '1', '9'),
    minLength: 200,
    maxLength: 300,
  }),
);
const text = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''));

describe('the looks of the words of a text', () => {
  it('are those of the words by themselves, in whatever order they are asked for', () => {
    const places = fc.array(fc.tuple(fc.nat(600), fc.nat(400)), { maxLength: 12 });
    fc.assert(
      fc.property(text, places, (whole, asked) => {
        const units = new Units(whole);
        const looks = new WordLooks(units, new Runs(units));
        for (const [place, length] of asked) {
          const from = Math.min(place, whole.length);
          const to = Math.min(from + length, whole.length);
          const word = whole.slice(from, to);
          assert.equal(looks.isNumber(from, to), isNumber(word));
          for (const says of ['weak', 'vendor'] as const)
            assert.equal(looks.looksCredential(from, to, says), looksCredential(word, says), word);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('the long words of a text', () => {
  it('are those that an expression finds', () => {
    const mixed = fc.string({ unit: fc.constantFrom(...'ab9="\'`,;()[] \n\u00a0\u3000é'.split(/(?:)/u)) });
    const runs = fc.integer({ min: 500, max: 1_100 }).map((length) => 'x'.repeat(length));
    fc.assert(
      fc.property(fc.array(fc.oneof(mixed, runs), { maxLength: 4 }), (pieces) => {
        const units = new Units(pieces.join(''));
        const found: Span[] = [];
        eachLongWord(units, spanOf(0, units.length), (word) => found.push(word));
        const expected = Array.from(units.text.matchAll(/[^\s"'`,;()[\]]{12,512}/g), (match) =>
          spanOf(match.index, match.index + match[0].length),
        );
        assert.deepEqual(found, expected);
      }),
    );
  });
});
