import { createHmac } from 'node:crypto';

/** 2010 and 2100 in milliseconds: ids that Elasticsearch generates contain a time between them. */
const earliest = 1_262_304_000_000;
const latest = 4_102_444_800_000;

/**
 * An id as it may leave the host. An id that reveals nothing about anybody is unchanged. Any other becomes a
 * digest. The same id under the same key always gets the same digest, so that its entries can still be
 * recognised.
 */
export function opaque(id: string, key: string): string {
  return isOpaque(id) ? id : digestOf(id, key);
}

/** `hmac-` and 24 hexadecimal digits of HMAC-SHA-256. */
export function digestOf(text: string, key: string): string {
  return `hmac-${createHmac('sha256', key).update(text).digest('hex').slice(0, 24)}`;
}

/**
 * UUIDs, in digits or in base64, and the ids that Elasticsearch generates. A UUID without its hyphens looks
 * like the MD5 of a mail address; of those, one in 64 has the version and the variant of a random UUID.
 */
export function isOpaque(id: string): boolean {
  if (/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(id)) return true;
  if (/^[0-9a-f]{32}$/i.test(id)) {
    const digits = Buffer.from(id, 'hex');
    return isRandomUuid(digits) || isTimedUuid(digits);
  }
  if (!/^[A-Za-z0-9_-]+$/.test(id)) return false;
  const bytes = Buffer.from(id, 'base64url');
  if (id.length === 22) return isRandomUuid(bytes);
  return id.length === 20 && (hasTime(bytes, compressible) || hasTime(bytes, ordered));
}

/** RFC 9562: version 4, variant 10. */
const isRandomUuid = (bytes: Buffer): boolean => (bytes[6] ?? 0) >> 4 === 4 && (bytes[8] ?? 0) >> 6 === 2;

/** RFC 9562: version 7, which begins with its time. */
const isTimedUuid = (bytes: Buffer): boolean =>
  (bytes[6] ?? 0) >> 4 === 7 && (bytes[8] ?? 0) >> 6 === 2 && hasTime(bytes, leading);

/**
 * The offsets of the time's bytes (milliseconds, highest first) in generated ids of 15 bytes: those that
 * compress well (TimeBasedUUIDGenerator, all six bytes), and those in the order of time
 * (TimeBasedKOrderedUUIDGenerator, from 8.17, the highest four). A text of twenty letters that somebody chose
 * can be decoded as well, but rarely to a valid time. `leading` is for UUIDs of version 7.
 */
const compressible = [5, 4, 3, 2, 12, 14];
const ordered = [0, 1, 2, 3];
const leading = [0, 1, 2, 3, 4, 5];

function hasTime(bytes: Buffer, byteIndices: readonly number[]): boolean {
  const high = byteIndices.reduce((value, index) => value * 256 + (bytes[index] ?? 0), 0);
  const time = high * 256 ** (6 - byteIndices.length);
  return time >= earliest && time < latest;
}
