import assert from 'node:assert/strict';
import { crypto } from '../../../../../../../processors/score-metrics/metrics/pii/recognizers/crypto.js';
import { found } from './found.js';

describe('the recognizer crypto', () => {
  it('takes a base58 address', () => {
    assert.deepEqual(found(crypto, 'send to 1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa please'), [
      ['1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', 1],
    ]);
  });

  it('takes a segregated-witness address', () => {
    assert.deepEqual(found(crypto, 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'), [
      ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 1],
    ]);
  });

  it('takes one in capitals', () => {
    assert.deepEqual(found(crypto, 'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4'), [
      ['BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4', 1],
    ]);
  });

  it('refuses a wrong checksum', () => {
    assert.deepEqual(found(crypto, '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb'), []);
  });

  it('refuses a hash', () => {
    assert.deepEqual(found(crypto, '3f786850e387550fdab836ed7e6dc881de23001b'), []);
  });
});
