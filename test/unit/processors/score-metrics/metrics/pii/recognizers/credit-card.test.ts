import assert from 'node:assert/strict';
import { creditCard } from '../../../../../../../processors/score-metrics/metrics/pii/recognizers/credit-card.js';
import { found } from './found.js';

describe('the recognizer creditCard', () => {
  it('takes a number in one piece', () => {
    assert.deepEqual(found(creditCard, 'paid with 4539578763621486 today'), [['4539578763621486', 1]]);
  });

  it('takes groups of four', () => {
    assert.deepEqual(found(creditCard, 'use 5425-2334-3010-9903.'), [['5425-2334-3010-9903', 1]]);
  });

  it("takes American Express's groups", () => {
    assert.deepEqual(found(creditCard, 'Amex 3782 822463 10005'), [['3782 822463 10005', 1]]);
  });

  it('takes nineteen digits', () => {
    assert.deepEqual(found(creditCard, '4000000000000000006'), [['4000000000000000006', 1]]);
  });

  it('wants context for twelve digits', () => {
    assert.deepEqual(found(creditCard, 'card 675900000000 or not'), [['675900000000', 0.95]]);
  });

  it('refuses a wrong check digit', () => {
    assert.deepEqual(found(creditCard, '4539578763621487'), []);
  });

  it('refuses a number of no issuer', () => {
    assert.deepEqual(found(creditCard, '9999999999999995'), []);
  });

  it('refuses mixed separators', () => {
    assert.deepEqual(found(creditCard, '4539-5787 6362-1486'), []);
  });

  it('refuses the tail of a decimal number', () => {
    assert.deepEqual(found(creditCard, '0.4539578763621486'), []);
  });
});
