import assert from 'node:assert/strict';
import { Authentication } from '../../../../http-edge/http/authentication.js';
import { Problem } from '../../../../runtime/http/problem.js';
import type { ApiKey } from '../../../../schemas/generated/api-key.js';
import { createInMemoryPorts, keyRecord } from '../../../support/in-memory-ports.js';

const now = 1_700_000_000_000;

function withKey(changes: Partial<ApiKey> = {}): Authentication {
  const ports = createInMemoryPorts();
  ports.keys.set('k1', keyRecord('k1', 's_e-cret', ['metrics'], changes));
  return new Authentication(ports.accessKeys, () => now);
}

function statusOf(authentication: Authentication, header: string | undefined): number {
  try {
    authentication.authenticate(header, ['metrics', 'read']);
    return 200;
  } catch (error) {
    assert.ok(error instanceof Problem);
    if (error.status === 401) assert.deepEqual(error.headers, ['www-authenticate', 'Bearer']);
    return error.status;
  }
}

describe('authentication', () => {
  it('takes a known key with one of the scopes, whatever the case of the scheme', () => {
    assert.equal(statusOf(withKey(), 'Bearer tt_k1_s_e-cret'), 200);
    assert.equal(statusOf(withKey(), 'bearer  tt_k1_s_e-cret '), 200);
  });

  for (const header of [
    undefined,
    '',
    'Bearer',
    'Bearer ',
    'Basic tt_k1_s_e-cret',
    'tt_k1_s_e-cret',
    'Bearer tt_k1_',
    'Bearer tt__s_e-cret',
    'Bearer tt_k1_wrong',
    'Bearer tt_k2_s_e-cret',
    'Bearer tt_k1_s_e-cret2',
  ])
    it(`refuses ${header === undefined ? 'a missing header' : `\`${header}\``}`, () => {
      assert.equal(statusOf(withKey(), header), 401);
    });

  it('refuses a revoked key, and one from its expiry on', () => {
    assert.equal(statusOf(withKey({ revoked_at: 1 }), 'Bearer tt_k1_s_e-cret'), 401);
    assert.equal(statusOf(withKey({ expires_at: now * 1_000 }), 'Bearer tt_k1_s_e-cret'), 401);
    assert.equal(statusOf(withKey({ expires_at: now * 1_000 + 1 }), 'Bearer tt_k1_s_e-cret'), 200);
  });

  it('answers 403 if only the scope is missing', () => {
    assert.equal(statusOf(withKey({ scopes: ['events'] }), 'Bearer tt_k1_s_e-cret'), 403);
  });

  it('refuses a key whose stored hash is malformed', () => {
    assert.equal(statusOf(withKey({ secret_hash: '' }), 'Bearer tt_k1_s_e-cret'), 401);
  });
});
