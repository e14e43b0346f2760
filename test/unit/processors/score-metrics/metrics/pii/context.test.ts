import assert from 'node:assert/strict';
import { contextRule, inContext } from '../../../../../../processors/score-metrics/metrics/pii/context.js';
import type { PiiSpan } from '../../../../../../processors/score-metrics/metrics/pii/entities.js';

const rule = contextRule({
  supports: ['account*'],
  labels: ['desk'],
  hints: ['number'],
  opposes: ['order'],
  penalty: 0.1,
});

/** The score of the span `#` in a text. */
function scoreIn(text: string, score = 0.2): number {
  const start = text.indexOf('#');
  const span: PiiSpan = { type: 'US_BANK_NUMBER', start, end: start + 1, score };
  return inContext(text, span, rule).score;
}

describe('the words around a span', () => {
  it('raise the score by 0.35, to at least 0.4 and at most 1', () => {
    assert.equal(scoreIn('accounts: #'), 0.55);
    assert.equal(scoreIn('account #', 0.01), 0.4);
    assert.equal(scoreIn('account #', 0.9), 1);
  });

  it('count within five words, not counting fillers', () => {
    assert.equal(scoreIn('account one two three four #'), 0.55);
    assert.equal(scoreIn('account one two three four five #'), 0.2);
    assert.equal(scoreIn('account of the one and the two in my three for our four #'), 0.55);
  });

  it('lower the score by the penalty, and do not raise it, if an opposing word is nearer', () => {
    assert.equal(scoreIn('account order #'), 0.1);
    assert.equal(scoreIn('order account #'), 0.55);
  });

  it('count as a hint only if nothing opposes', () => {
    assert.equal(scoreIn('number #'), 0.55);
    assert.equal(scoreIn('order number #'), 0.1);
  });

  it('count as a label only directly next to the span', () => {
    assert.equal(scoreIn('Desk: #'), 0.55);
    assert.equal(scoreIn('#-Desk'), 0.55);
    assert.equal(scoreIn('desk stands at #'), 0.2);
  });

  it('do not change a span that is certain', () => {
    assert.equal(scoreIn('order #', 1), 1);
  });

  it('are not fillers if the rule lists them', () => {
    const listing = contextRule({ supports: ['my'], hints: ['no'] });
    const score = (text: string): number => {
      const start = text.indexOf('#');
      return inContext(text, { type: 'PHONE_NUMBER', start, end: start + 1, score: 0.2 }, listing).score;
    };
    assert.equal(score('no. #'), 0.55);
    assert.equal(score('my #'), 0.55);
    assert.equal(score('your #'), 0.2);
  });

  it('raise the score of an unfit span only if they name the entity', () => {
    const isFit = (written: string): boolean => written === '9';
    const demanding = contextRule({
      supports: ['call*', 'phone'],
      opposes: ['order'],
      demands: { isFit, naming: { supports: ['phone'] } },
    });
    const score = (text: string): number => {
      const start = text.search(/\d/);
      return inContext(text, { type: 'PHONE_NUMBER', start, end: start + 1, score: 0.2 }, demanding).score;
    };
    assert.deepEqual(
      ['call 9', 'call 8', 'phone 8', 'phone call 8', 'order call 8'].map(score),
      [0.55, 0.2, 0.55, 0.55, 0.2],
    );
    assert.equal(score('phone order 8'), 0.2);
  });
});
