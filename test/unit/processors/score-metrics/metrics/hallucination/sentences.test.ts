import assert from 'node:assert/strict';
import fc from 'fast-check';
import { sentencesOf } from '../../../../../../processors/score-metrics/metrics/hallucination/sentences.js';

describe('sentences', () => {
  const cases: Readonly<Record<string, readonly [string, readonly string[]]>> = {
    'end with full stops, question and exclamation marks': [
      'It rains. Does it? Yes! Well…  Good.',
      ['It rains.', 'Does it?', 'Yes!', 'Well…', 'Good.'],
    ],
    'keep their closing quotes and brackets': [
      'He said "Go." (She went.) “Fine.” *Done.* End',
      ['He said "Go."', '(She went.)', '“Fine.”', '*Done.*', 'End'],
    ],
    'go on after a title, an initial or an abbreviation': [
      'Dr. Smith met J. R. Hart, i.e. the U.S. envoy, at approx. Noon. He left.',
      ['Dr. Smith met J. R. Hart, i.e. the U.S. envoy, at approx. Noon.', 'He left.'],
    ],
    'go on after "no." only before a number': [
      'See No. 7 and Fig. 2. He said no. Then he left.',
      ['See No. 7 and Fig. 2.', 'He said no.', 'Then he left.'],
    ],
    'go on where a small letter follows': [
      'It costs 3.50 per kg, etc. and more. "Really?" he asked. So it goes ... on.',
      ['It costs 3.50 per kg, etc. and more.', '"Really?" he asked.', 'So it goes ... on.'],
    ],
    'end before a small letter in a text without capitals': [
      'it rains. it pours.',
      ['it rains.', 'it pours.'],
    ],
    'are not cut inside numbers, addresses and names': [
      'Version 3.1.4 is at example.com/a.b now.',
      ['Version 3.1.4 is at example.com/a.b now.'],
    ],
    'end with "I"': ['So do I. Then we went.', ['So do I.', 'Then we went.']],
    'need no space in Chinese and Japanese': [
      '今天下雨。我们走吧！好吗？',
      ['今天下雨。', '我们走吧！', '好吗？'],
    ],
    'end with the marks of other scripts': [
      'هل تمطر؟ نعم. यह है। ठीक।',
      ['هل تمطر؟', 'نعم.', 'यह है।', 'ठीक।'],
    ],
    'are set apart by blank lines, headings and items': [
      '# Birds\n\nHerons wade\nand wait\n\n- one\n- two\n1. three\n> quoted',
      ['Birds', 'Herons wade and wait', 'one', 'two', 'three', 'quoted'],
    ],
    'hold a letter or a digit': ['One. --- ... !!! Two.', ['One.', 'Two.']],
  };
  for (const [what, [text, expected]] of Object.entries(cases)) {
    it(what, () => {
      assert.deepEqual(sentencesOf(text), expected);
    });
  }

  it('are none in a blank text, and one in a text of signs alone', () => {
    assert.deepEqual(sentencesOf(' \n\t '), []);
    assert.deepEqual(sentencesOf(' 😀 '), ['😀']);
  });

  it('keep every letter and digit of the text, in its order, whatever the text', () => {
    const text = fc
      .array(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.constantFrom('. ', '! ', '…', '。', '"', '\n', 'Dr. ', 'I'),
        ),
      )
      .map((parts) => parts.join(''));
    const bare = (from: string): string => from.replace(/[^\p{L}]+/gu, '');
    fc.assert(
      fc.property(text, (given) => {
        const sentences = sentencesOf(given);
        assert.equal(bare(sentences.join(' ')), bare(given));
        assert.ok(sentences.every((sentence) => sentence.trim() === sentence && sentence !== ''));
        assert.equal(sentences.length === 0, given.trim() === '');
      }),
    );
  });

  it('are found in time that is linear in the text, for the worst of texts', () => {
    const worst = [
      '.',
      '. ',
      '"',
      '."',
      ' ',
      '\n',
      '\n ',
      '1. ',
      '- ',
      'A. ',
      'e.g. ',
      '?!',
      '。',
      '*.',
      'a',
      '😀.',
    ];
    for (const unit of worst) {
      const begun = process.cpuUsage();
      sentencesOf(unit.repeat(100_000 / unit.length));
      const { user, system } = process.cpuUsage(begun);
      assert.ok(user + system < 2_000_000, `${JSON.stringify(unit)} took ${user + system} µs of CPU`);
    }
  });
});
