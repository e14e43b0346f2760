import assert from 'node:assert/strict';
import type { Evaluation } from '../../../../bench/evaluate/evaluation.js';
import { evaluationPicture } from '../../../../bench/evaluate/picture.js';
import { tableOf } from '../../../../bench/evaluate/table.js';

const good: Evaluation = {
  metric: 'text_topic',
  set: 'a set & more',
  measure: 'accuracy',
  figure: 0.75,
  reference: 0.6,
  target: { atLeast: 0.7 },
};
const bad: Evaluation = {
  metric: 'text_toxicity',
  set: 'another',
  measure: 'false alarms',
  figure: 0.0151,
  reference: null,
  target: { atMost: 0.005 },
};

describe('the picture of the figures', () => {
  it('is the same for the same figures, and well-formed', () => {
    const picture = evaluationPicture([good, bad]);
    assert.equal(evaluationPicture([good, bad]), picture);
    assert.match(picture, /^<svg [^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
    assert.ok(picture.includes('a set &amp; more'));
    assert.doesNotMatch(picture, /NaN|undefined|& /);
    const opened = picture.match(/<(svg|text|tspan)\b/g)?.length;
    assert.equal(picture.match(/<\/(svg|text|tspan)>/g)?.length, opened);
  });

  it("draws each bar to its figure's position on the scale, and missed targets in another colour", () => {
    const bars = [
      ...evaluationPicture([good, bad]).matchAll(
        /<rect x="470" y="\d+" width="([\d.]+)" height="14" fill="(#\w+)"/g,
      ),
    ];
    // Halfway from 0.5 to 1, and from 0 to 0.03.
    assert.deepEqual(
      bars.map(([, width]) => width),
      ['175.0', '176.2'],
    );
    assert.notEqual(bars[0]?.[2], bars[1]?.[2]);
  });
});

describe('the table of the figures', () => {
  it('says which are met', () => {
    const [, first = '', second = ''] = tableOf([good, bad]).split('\n');
    assert.match(first, /text_topic +a set & more +accuracy +0\.75 +0\.6 +≥ 0\.7 +met$/);
    assert.match(second, /0\.0151 +≤ 0\.005 +NOT MET$/);
  });
});
