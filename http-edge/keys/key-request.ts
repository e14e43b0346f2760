import type { FieldError } from '../../runtime/http/problem.js';
import { isoMicros } from '../../schemas/iso-time.js';
import { isLongerThan } from '../../schemas/text-length.js';
import { scopes, type Scope } from './scopes.js';

/** The attributes of a new key. */
export interface KeyRequest {
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** Milliseconds since 1970; null: never. */
  readonly expiresAt: number | null;
}

/** The fields of the request, unchecked. */
export interface KeyRequestFields {
  readonly name?: unknown;
  readonly scopes?: unknown;
  readonly expires_at?: unknown;
}

const nameLimit = 100;
/** Up to the year 2255, microseconds in an Avro long are exact as a JavaScript number. */
const lastTimestamp = Date.UTC(2200, 0);

/** Checks a request: returns a valid one, or every field that is wrong. */
export function keyRequestOf(fields: KeyRequestFields, nowMs: number): KeyRequest | readonly FieldError[] {
  const errors: FieldError[] = [];
  const name = nameOf(fields.name, errors);
  const wanted = scopesOf(fields.scopes, errors);
  const expiresAt = expiryOf(fields.expires_at, nowMs, errors);
  return errors.length > 0 ? errors : { name, scopes: wanted, expiresAt };
}

function nameOf(name: unknown, errors: FieldError[]): string {
  if (typeof name === 'string' && name.trim() !== '' && !isLongerThan(name, nameLimit))
    return name.toWellFormed();
  errors.push({ pointer: '/name', detail: `\`name\` must be a text of 1 to ${nameLimit} characters.` });
  return '';
}

function scopesOf(wanted: unknown, errors: FieldError[]): readonly Scope[] {
  const items: readonly unknown[] = Array.isArray(wanted) ? wanted : [];
  const known = scopes.filter((scope) => items.includes(scope));
  if (items.length === 0 || items.some((item) => !scopes.includes(item as Scope)))
    errors.push({ pointer: '/scopes', detail: `\`scopes\` must list at least one of ${scopes.join(', ')}.` });
  return known;
}

function expiryOf(expiry: unknown, nowMs: number, errors: FieldError[]): number | null {
  if (expiry === undefined || expiry === null) return null;
  const micros = typeof expiry === 'string' ? isoMicros(expiry) : undefined;
  const millis = Math.floor((micros ?? Number.NaN) / 1_000);
  if (millis > nowMs && millis < lastTimestamp) return millis;
  const detail =
    '`expires_at` must be a timestamp in the future, before the year 2200, in ISO 8601; leave it out for never.';
  errors.push({ pointer: '/expires_at', detail });
  return null;
}
