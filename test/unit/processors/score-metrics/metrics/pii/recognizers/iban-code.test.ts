import assert from 'node:assert/strict';
import { ibanCode } from '../../../../../../../processors/score-metrics/metrics/pii/recognizers/iban-code.js';
import { found } from './found.js';

describe('the recognizer ibanCode', () => {
  it('takes one in one piece', () => {
    assert.deepEqual(found(ibanCode, 'to DE75512108001245126199 now'), [['DE75512108001245126199', 1]]);
  });

  it('takes groups', () => {
    assert.deepEqual(found(ibanCode, 'DE75 5121 0800 1245 1261 99'), [['DE75 5121 0800 1245 1261 99', 1]]);
  });

  it('takes hyphens', () => {
    assert.deepEqual(found(ibanCode, 'FR76-3000-6000-0112-3456-7890-189'), [
      ['FR76-3000-6000-0112-3456-7890-189', 1],
    ]);
  });

  it('takes one in lower case', () => {
    assert.deepEqual(found(ibanCode, 'de75512108001245126199'), [['de75512108001245126199', 1]]);
  });

  it("stops at the country's length", () => {
    assert.deepEqual(found(ibanCode, 'DE75512108001245126199 AND MORE'), [['DE75512108001245126199', 1]]);
  });

  it('refuses mixed case', () => {
    assert.deepEqual(found(ibanCode, 'De75 5121 0800 1245 1261 99'), []);
  });

  it('refuses wrong check digits', () => {
    assert.deepEqual(found(ibanCode, 'DE76512108001245126199'), []);
  });

  it('refuses a longer number', () => {
    assert.deepEqual(found(ibanCode, 'DE755121080012451261991'), []);
  });
});
