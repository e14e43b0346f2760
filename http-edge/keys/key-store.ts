import { TelltaleError } from '../../runtime/errors.js';
import type { ApiKey } from '../../schemas/generated/api-key.js';
import type { AccessKeys } from '../ports.js';
import { exceptMostRecent } from './except-most-recent.js';
import { formatKey, hashOfSecret, newKeyId, newSecret } from './key-format.js';
import type { KeyRequest } from './key-request.js';

/** A key whose secret was just made. The token is in no log and no topic: this is the only moment it can be seen. */
export interface IssuedKey {
  readonly key: ApiKey;
  /** `tt_<key id>_<secret>`. */
  readonly token: string;
}

export type KeyState = 'active' | 'expired' | 'revoked';

/** The most keys in force in a workspace: every edge has all of them in memory. */
const mostKeys = 1_000;
/** The most ended keys that are remembered of a workspace. */
const rememberedKeys = 1_000;

/** Resolves once the key is durable; every edge accepts it within a second. Throws KEYS_FULL. */
export async function createKey(
  keys: AccessKeys,
  workspace: string,
  request: KeyRequest,
  nowMs: number,
): Promise<IssuedKey> {
  const known = keys.list(workspace);
  const ended = known.filter((key) => stateOf(key, nowMs) !== 'active');
  if (known.length - ended.length >= mostKeys)
    throw new TelltaleError('KEYS_FULL', { workspace, most: mostKeys });
  const forgotten = exceptMostRecent(ended, rememberedKeys, (key) => key.revoked_at ?? key.expires_at ?? 0);
  await Promise.all(forgotten.map((key) => keys.remove(key.key_id)));
  return issue(keys, {
    key_id: newKeyId(),
    workspace,
    name: request.name,
    scopes: request.scopes,
    secret_hash: '',
    created_at: Math.round(nowMs * 1_000),
    expires_at: request.expiresAt === null ? null : request.expiresAt * 1_000,
    revoked_at: null,
  });
}

/**
 * Gives the key a new secret; the old one is refused on every edge within a second. To use both for a while,
 * make a second key and revoke the first one later.
 */
export async function rotateKey(
  keys: AccessKeys,
  keyId: string,
  workspace: string | undefined,
  nowMs: number,
): Promise<IssuedKey> {
  const key = keyOf(keys, keyId, workspace);
  if (stateOf(key, nowMs) !== 'active') throw new TelltaleError('KEY_ENDED', { id: keyId });
  const issued = await issue(keys, key);
  const revokedAt = keys.find(keyId)?.revoked_at ?? null;
  if (revokedAt === null) return issued;
  // It was revoked meanwhile and remains revoked: the revocation must be the last record of the key, since the topic
  // keeps only that.
  await keys.put({ ...issued.key, revoked_at: revokedAt });
  throw new TelltaleError('KEY_ENDED', { id: keyId });
}

/** Revokes a key permanently. Revoking it twice changes nothing. */
export async function revokeKey(
  keys: AccessKeys,
  keyId: string,
  workspace: string | undefined,
  nowMs: number,
): Promise<ApiKey> {
  const key = keyOf(keys, keyId, workspace);
  if (key.revoked_at !== null) return key;
  const revoked = { ...key, revoked_at: Math.round(nowMs * 1_000) };
  await keys.put(revoked);
  return revoked;
}

/** Throws KEY_UNKNOWN if there is no such key, or if it belongs to another workspace. */
export function keyOf(keys: AccessKeys, keyId: string, workspace: string | undefined): ApiKey {
  const key = keys.find(keyId);
  if (key === undefined || (workspace !== undefined && key.workspace !== workspace))
    throw new TelltaleError('KEY_UNKNOWN', { id: keyId });
  return key;
}

export function stateOf(key: ApiKey, nowMs: number): KeyState {
  if (key.revoked_at !== null) return 'revoked';
  return key.expires_at !== null && key.expires_at <= nowMs * 1_000 ? 'expired' : 'active';
}

async function issue(keys: AccessKeys, of: ApiKey): Promise<IssuedKey> {
  const secret = newSecret();
  const key = { ...of, secret_hash: hashOfSecret(secret) };
  await keys.put(key);
  return { key, token: formatKey({ keyId: key.key_id, secret }) };
}
