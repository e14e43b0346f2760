import assert from 'node:assert/strict';
import { keyRequestOf } from '../../../../http-edge/keys/key-request.js';

const now = Date.UTC(2026, 0);
const request = (expiresAt: unknown) =>
  keyRequestOf({ name: 'n', scopes: ['read'], expires_at: expiresAt }, now);

describe('key request', () => {
  it('takes a future timestamp, or none', () => {
    assert.deepEqual(request('2027-01-01'), { name: 'n', scopes: ['read'], expiresAt: Date.UTC(2027, 0) });
    assert.deepEqual(request(undefined), { name: 'n', scopes: ['read'], expiresAt: null });
  });

  it('refuses a day that the month does not have', () => {
    for (const timestamp of [
      '2027-02-31',
      '2027-02-29T00:00:00Z',
      '2027-04-31',
      '2027-13-01',
      '2027-01-01T24:00:00Z',
    ])
      assert.ok(Array.isArray(request(timestamp)), timestamp);
    assert.ok(!Array.isArray(request('2028-02-29')));
  });

  it('refuses a timestamp that has passed, or that no record can hold', () => {
    for (const timestamp of ['2025-12-31', '2200-01-01', '9999-12-31T23:59:59Z', 'soon', 5]) {
      const refused = request(timestamp);
      assert.ok(Array.isArray(refused));
      assert.equal((refused as readonly { pointer: string }[])[0]?.pointer, '/expires_at');
    }
  });
});
