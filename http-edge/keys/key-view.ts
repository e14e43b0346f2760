import type { ApiKey } from '../../schemas/generated/api-key.js';
import type { KeyUses } from './key-uses.js';
import { stateOf, type KeyState } from './key-store.js';

/** A key as shown to people, with neither secret nor hash. Times are ISO 8601. */
export interface KeyView {
  readonly key_id: string;
  readonly workspace: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly state: KeyState;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  /** To the minute; null if no use is known. Absent if it was not requested. */
  readonly last_used_at?: string | null;
}

export function viewOf(key: ApiKey, nowMs: number, uses?: Pick<KeyUses, 'last'>): KeyView {
  const usedAt = uses?.last(key.key_id);
  return {
    key_id: key.key_id,
    workspace: key.workspace,
    name: key.name,
    scopes: key.scopes,
    state: stateOf(key, nowMs),
    created_at: isoTimestamp(key.created_at),
    expires_at: key.expires_at === null ? null : isoTimestamp(key.expires_at),
    revoked_at: key.revoked_at === null ? null : isoTimestamp(key.revoked_at),
    ...(usedAt === undefined ? {} : { last_used_at: usedAt === null ? null : isoTimestamp(usedAt * 1_000) }),
  };
}

/** Oldest first. */
export function viewsOf(
  keys: readonly ApiKey[],
  nowMs: number,
  uses?: Pick<KeyUses, 'last'>,
): readonly KeyView[] {
  return [...keys]
    .sort((one, other) => one.created_at - other.created_at)
    .map((key) => viewOf(key, nowMs, uses));
}

function isoTimestamp(micros: number): string {
  return new Date(micros / 1_000).toISOString();
}
