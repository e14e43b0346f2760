import { hash, randomUUID } from 'node:crypto';

const versionSeven = '7';

/**
 * A UUID of version 7 (RFC 9562): milliseconds since 1970, then 74 random bits. Tasks of about the same time
 * are neighbours in every ordered store, so a status view of a million tasks touches few pages.
 */
export function timeOrderedId(now: number = Date.now()): string {
  const time = now.toString(16).padStart(12, '0');
  const random = randomUUID();
  return `${time.slice(0, 8)}-${time.slice(8)}-${versionSeven}${random.slice(15)}`;
}

/** A UUID of version 8 (RFC 9562: custom): the same parts always give the same id. */
export function derivedTaskId(parts: readonly unknown[]): string {
  const digest = hash('sha256', JSON.stringify(parts), 'hex');
  const variant = ((Number.parseInt(digest.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return [
    digest.slice(0, 8),
    digest.slice(8, 12),
    `8${digest.slice(13, 16)}`,
    `${variant}${digest.slice(17, 20)}`,
    digest.slice(20, 32),
  ].join('-');
}
