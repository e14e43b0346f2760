/** Shown if nothing was measured, instead of a zero. */
export const absent = '–';

/** At most this many digits after the point, but a value that would round to zero keeps its first digit. */
export function formatNumber(value: number | null | undefined, digits = 1): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return absent;
  return (roundsToZero(value, digits) ? oneDigit : roundedTo(digits)).format(value);
}

// Creating a format takes longer than the rest of a cell, and a table can have a thousand cells.
const oneDigit = new Intl.NumberFormat('en-GB', { maximumSignificantDigits: 1 });
const rounded = new Map<number, Intl.NumberFormat>();

function roundedTo(digits: number): Intl.NumberFormat {
  const format = rounded.get(digits) ?? new Intl.NumberFormat('en-GB', { maximumFractionDigits: digits });
  rounded.set(digits, format);
  return format;
}

const roundsToZero = (value: number, digits: number): boolean => Math.abs(value) < 0.5 * 10 ** -digits;

/** `1 span`, `2 spans`. */
export const formatCount = (count: number, one: string, many = `${one}s`): string =>
  `${formatNumber(count, 0)} ${count === 1 ? one : many}`;

const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];

export function formatBytes(value: number | null | undefined): string {
  if (value === null || value === undefined) return absent;
  const size = Math.abs(value);
  const power = size < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(size) / 10));
  return `${formatNumber(value / 1024 ** power, power === 0 ? 0 : 1)} ${units[power] ?? ''}`;
}

export function formatPercent(ratio: number | null | undefined, digits = 0): string {
  if (ratio === null || ratio === undefined) return absent;
  const percent = ratio * 100;
  const isSome = percent > 0 && roundsToZero(percent, digits);
  return isSome ? `< ${formatNumber(10 ** -digits, digits)} %` : `${formatNumber(percent, digits)} %`;
}

export function formatMillis(value: number | null | undefined): string {
  if (value === null || value === undefined) return absent;
  if (value > 0 && value < 1) return `${formatNumber(value * 1_000, 0)} µs`;
  if (value < 1_000) return `${formatNumber(value)} ms`;
  if (value < 60_000) return `${formatNumber(value / 1_000, 2)} s`;
  if (value < 3_600_000) return `${formatNumber(value / 60_000)} min`;
  return value < 86_400_000
    ? `${formatNumber(value / 3_600_000)} h`
    : `${formatNumber(value / 86_400_000)} d`;
}

export type Zone = 'utc' | 'local';

export function zoneName(zone: Zone): string {
  return zone === 'utc' ? 'UTC' : Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** A timestamp in a zone: `2026-01-31 14:02:10`. */
export function formatTimestamp(timestamp: string | null | undefined, zone: Zone): string {
  if (timestamp === null || timestamp === undefined || Number.isNaN(Date.parse(timestamp))) return absent;
  return timestampFormats[zone].format(new Date(timestamp));
}

const timestampOptions = { dateStyle: 'short', timeStyle: 'medium' } as const;
const timestampFormats: Readonly<Record<Zone, Intl.DateTimeFormat>> = {
  utc: new Intl.DateTimeFormat('sv-SE', { ...timestampOptions, timeZone: 'UTC' }),
  local: new Intl.DateTimeFormat('sv-SE', timestampOptions),
};

/** How long ago a timestamp was: `4 s ago`. */
export function formatAgo(timestamp: string | null | undefined, nowMs: number): string {
  if (timestamp === null || timestamp === undefined) return absent;
  const passed = nowMs - Date.parse(timestamp);
  return passed < 1_000 ? 'just now' : `${formatMillis(Math.floor(passed / 1_000) * 1_000)} ago`;
}
