import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readVerdict } from '../../../../../../processors/score-metrics/metrics/hallucination/verdict.js';

describe('reading a verdict', () => {
  const read: readonly (readonly [string, number])[] = [
    ['Accurate', 0],
    ['accurate.', 0],
    ['**Minor Inaccurate**', 0.5],
    ['"MAJOR INACCURATE"', 1],
    ['Minor-Inaccurate', 0.5],
    ['minor inaccuracy', 0.5],
    ['Answer: Accurate', 0],
    ['My final answer is: Major Inaccurate!', 1],
    ['1. Accurate', 0],
    ['The passage is Major Inaccurate.', 1],
    ['Accurate. The context says so, not the opposite.', 0],
    ['<think>Is it Major Inaccurate? No.</think>Accurate', 0],
    ['Ａｃｃｕｒａｔｅ', 0],
  ];
  for (const [reply, expected] of read) {
    it(`takes ${JSON.stringify(reply)} for ${expected}`, () => {
      assert.equal(readVerdict(reply), expected);
    });
  }

  const unreadable = [
    '',
    'Inaccurate',
    'Not accurate',
    'It is not Major Inaccurate.',
    "It isn't accurate",
    'Whether this is accurate is unclear.',
    'Accurate, Minor Inaccurate, Major Inaccurate',
    'Accurate or Minor Inaccurate',
    'Yes',
    'minor',
    '0.5',
    'I can’t answer that.',
    '<think>Accurate',
  ];
  for (const reply of unreadable) {
    it(`can't read ${JSON.stringify(reply)}`, () => {
      assert.equal(readVerdict(reply), undefined);
    });
  }

  const decoration = fc.stringMatching(/^[ "'`*_.,:;!()\n-]{0,6}$/);

  it('reads every option in any case and decoration', () => {
    const options: readonly (readonly [string, number])[] = [
      ['Accurate', 0],
      ['Minor Inaccurate', 0.5],
      ['Major Inaccurate', 1],
    ];
    const option = fc.constantFrom(...options);
    fc.assert(
      fc.property(option, decoration, decoration, fc.boolean(), ([words, worth], left, right, upper) => {
        assert.equal(readVerdict(left + (upper ? words.toUpperCase() : words) + right), worth);
      }),
    );
  });

  it('reads nothing but 0, 0.5 and 1 out of any text', () => {
    const text = fc
      .array(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.constantFrom('accurate ', 'minor ', 'major ', 'in', 'not '),
        ),
      )
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, (reply) => {
        assert.ok([undefined, 0, 0.5, 1].includes(readVerdict(reply)));
      }),
    );
  });
});
