import { TelltaleError } from '../errors.js';

const units: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds since 1970, from ISO 8601 or from an age such as 30m, 12h or 7d. Throws MOMENT_INVALID. */
export function timestampOf(given: string, nowMs: number): number {
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(given) ?? [];
  if (count !== undefined) return nowMs - Number(count) * (units[unit] ?? 0);
  const timestamp = /^\d{4}-\d\d-\d\d/.test(given) ? Date.parse(given) : Number.NaN;
  if (Number.isNaN(timestamp)) throw new TelltaleError('MOMENT_INVALID', { given });
  return timestamp;
}
