import assert from 'node:assert/strict';
import fc from 'fast-check';
import { foundPattern } from '../../../../../processors/score-metrics/metrics/patterns/groups.js';
import { AnalysedText } from '../../../../../processors/score-metrics/metrics/text/analysed-text.js';

/** The pattern found, and the text at its place, counted in code points as in the dashboard. */
function found(text: string): readonly [name: string, at: string] | null {
  const pattern = new AnalysedText(text).take(foundPattern);
  if (pattern === null) return null;
  return [pattern.name, Array.from(text).slice(pattern.place.start, pattern.place.end).join('')];
}

const sensitive = [
  '123-45-6789',
  '1234 5678 9012 3456',
  '+44 20 7946 0958',
  '12 Pier Street',
  'jo.b@ab.co.uk',
];
const piece = fc.oneof(
  fc.constantFrom(...sensitive, ' ', '.', '-', '7', 'a', 'é', '٣', '😀', '𝔘', '\ud800', '\u{10d50}'),
  fc.string({ unit: 'binary', maxLength: 5 }),
);

describe('the place of a sensitive pattern', () => {
  it('is where the text matches, whatever is around it', () => {
    let matches = 0;
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const outer = found(pieces.join(''));
        if (outer === null) return;
        matches += 1;
        assert.deepEqual(found(outer[1]), outer);
      }),
      { numRuns: 500 },
    );
    assert.ok(matches > 200, `${matches} texts match`);
  });

  it('is that of the whole first match of its group, although the expressions match only a part', () => {
    for (const [text, ...expected] of [
      ['😀 Mail jane.doe+x@example.com, or joe@example.com', 'email address', 'jane.doe+x@example.com'],
      ['She lives in 221 Baker Street.', 'mailing address', '221 Baker Street'],
      ['Call +1-555-123-4567!', 'phone number', '+1-555-123-4567'],
      ['(123-45-6789)', 'SSN', '123-45-6789'],
    ] as const)
      assert.deepEqual(found(text), expected);
    assert.equal(found('nothing here'), null);
  });
});
