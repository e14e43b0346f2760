import { randomUUID } from 'node:crypto';

const versionSeven = '7';

/**
 * A UUID of version 7 (RFC 9562): milliseconds since 1970, then 74 random bits. Tasks of one time lie side by side in
 * every ordered store, so that a status view of a million tasks is built, and held, by touching few of its pages.
 */
export function timeOrderedId(now: number = Date.now()): string {
  const time = now.toString(16).padStart(12, '0');
  const random = randomUUID();
  return `${time.slice(0, 8)}-${time.slice(8)}-${versionSeven}${random.slice(15)}`;
}
