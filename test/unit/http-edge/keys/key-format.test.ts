import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  formatKey,
  hashOfSecret,
  newKeyId,
  newSecret,
  parseKey,
} from '../../../../http-edge/keys/key-format.js';

describe('an API key', () => {
  it('comes apart as it was put together', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z2-7]{1,20}$/), fc.string({ minLength: 1 }), (keyId, secret) => {
        assert.deepEqual(parseKey(formatKey({ keyId, secret })), { keyId, secret });
      }),
    );
  });

  it('is not mistaken for another text', () => {
    for (const text of ['', 'tt_', 'tt_a', 'tt_a_', 'tt__b', 'TT_a_b', 'a_b'])
      assert.equal(parseKey(text), undefined, text);
  });

  it('has 256 random bits in its secret, and no underscore in its id', () => {
    assert.equal(Buffer.from(newSecret(), 'base64url').length, 32);
    assert.match(newKeyId(), /^[a-z2-7]{12}$/);
    assert.notEqual(newSecret(), newSecret());
  });

  it('is kept as the SHA-256 of its secret', () => {
    assert.equal(hashOfSecret('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});
