import assert from 'node:assert/strict';
import fc from 'fast-check';
import { passesLuhn } from '../../../../../../../processors/score-metrics/metrics/pii/checks/luhn.js';
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

  it('takes a card that is followed by a code, a year or both', () => {
    for (const tail of ['123', '2027', '0925 123', '12/27', '123456'])
      assert.deepEqual(found(creditCard, `5425 2334 3010 9903 ${tail}`), [['5425 2334 3010 9903', 1]], tail);
  });

  it('refuses the beginning of a serial, and a short one', () => {
    assert.deepEqual(found(creditCard, '5425-2334-3010-9903-123'), []);
    assert.deepEqual(found(creditCard, '6759 0000 0000 1234'), []);
  });

  it('takes every card of a row', () => {
    const card = fc.stringMatching(/^4\d{14}$/).map((digits) => {
      const last = Array.from('0123456789').find((check) => passesLuhn(digits + check)) ?? '';
      return (digits + last).replace(/(?<=\d)(?=(?:\d{4})+$)/g, ' ');
    });
    fc.assert(
      fc.property(fc.array(card, { minLength: 1, maxLength: 5 }), (cards) => {
        assert.deepEqual(
          found(creditCard, cards.join(' ')).map(([digits]) => digits),
          cards,
        );
      }),
    );
  });
});
