/** Milliseconds per unit of Elasticsearch's duration texts (`TimeValue.toString`). */
const unitMs: Readonly<Record<string, number>> = {
  nanos: 1e-6,
  micros: 1e-3,
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/**
 * Milliseconds of a text such as `946.6micros` or `1.2s`, or null. `took` is rounded to a tenth of its unit
 * and `took_millis` is whole, so the more precise one counts: `took` below a second, `took_millis` from a
 * second on.
 */
export function tookMilliseconds(took: string | null, tookMillis: string | null): number | null {
  const whole = wholeNumber(tookMillis);
  const matched = /^(\d{1,15}(?:\.\d{1,9})?)(nanos|micros|ms|s|m|h|d)$/.exec(took?.trim() ?? '');
  if (matched === null) return whole;
  const [, amount = '', unit = ''] = matched;
  const fine = Number(amount) * (unitMs[unit] ?? NaN);
  return whole !== null && fine >= 1_000 ? whole : Number(fine.toFixed(6));
}

/** A whole number, not negative and at most `most`, or null. */
export function wholeNumber(text: string | null, most = Number.MAX_SAFE_INTEGER): number | null {
  if (text === null || !/^\d{1,16}$/.test(text.trim())) return null;
  const number = Number(text);
  return number <= most ? number : null;
}

/** `19`, `19 hits` or `10000+ hits`; `-1` of a fetch phase means nothing. */
export function hitCount(text: string | null): { count: number | null; atLeast: boolean } {
  const matched = /^(\d{1,16})(\+?)(?: hits)?$/.exec(text?.trim() ?? '');
  return { count: wholeNumber(matched?.[1] ?? null), atLeast: matched?.[2] === '+' };
}

/**
 * Microseconds since 1970 of a log's timestamp, or null. Plain files name no zone: they use the node's, which
 * is that of this host, from `localOffset`.
 */
export function timestampMicroseconds(text: string | null, localOffset: LocalOffset): number | null {
  const matched = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)[,.](\d{3,9})(Z|[+-]\d\d:?\d\d)?$/.exec(
    text?.trim() ?? '',
  );
  if (matched === null) return null;
  const [, year, month, day, hour, minute, second, fraction = '', zone] = matched;
  const asUtc = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
  );
  const offsetMinutes = zone === undefined ? localOffset(asUtc) : zoneMinutes(zone);
  const microseconds = Number(fraction.slice(0, 6).padEnd(6, '0'));
  return (asUtc - offsetMinutes * 60_000) * 1_000 + microseconds;
}

/** Minutes east of UTC at a wall-clock time. The time is in milliseconds, as if it were UTC. */
export type LocalOffset = (wallClockMs: number) => number;

/** The zone of this process. */
export const hostOffset: LocalOffset = (wallClockMs) => {
  const wall = new Date(wallClockMs);
  const local = new Date(
    wall.getUTCFullYear(),
    wall.getUTCMonth(),
    wall.getUTCDate(),
    wall.getUTCHours(),
    wall.getUTCMinutes(),
    wall.getUTCSeconds(),
  );
  return -local.getTimezoneOffset();
};

function zoneMinutes(zone: string): number {
  if (zone === 'Z') return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2));
  return zone.startsWith('-') ? -minutes : minutes;
}

/** `[index][shard]` or `[index/uuid]`; names that Elasticsearch would refuse are rejected. */
export function targetOf(
  text: string | null,
): { index: string; indexUuid: string | null; shard: number | null } | null {
  const matched = /^\[([^\s"*?<>|,#\\/[\]]{1,255})(?:\/([\w-]{1,32}))?\](?:\[(\d{1,9})\])?/.exec(
    text?.trim() ?? '',
  );
  if (matched === null) return null;
  const [, index = '', uuid, shard] = matched;
  return { index, indexUuid: uuid ?? null, shard: wholeNumber(shard ?? null) };
}
