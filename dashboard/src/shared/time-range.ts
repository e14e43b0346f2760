/** The range of a page: the last minutes, or between two timestamps. */
export type TimeRange =
  | { readonly kind: 'last'; readonly minutes: number }
  | { readonly kind: 'fixed'; readonly from: string; readonly to: string };

export const spans: readonly { readonly text: string; readonly minutes: number; readonly label: string }[] = [
  { text: '15m', minutes: 15, label: 'Last 15 minutes' },
  { text: '1h', minutes: 60, label: 'Last hour' },
  { text: '6h', minutes: 360, label: 'Last 6 hours' },
  { text: '24h', minutes: 1_440, label: 'Last 24 hours' },
  { text: '7d', minutes: 10_080, label: 'Last 7 days' },
  { text: '30d', minutes: 43_200, label: 'Last 30 days' },
];

/** The API's limit: it omits everything before the last days of a longer range. */
export const longestRangeDays = 31;

/** The range in a page's address; the standard range if the address has none, or an invalid one. */
export function rangeOf(search: URLSearchParams, standard = '24h'): TimeRange {
  const from = timestampOf(search.get('from'));
  const to = timestampOf(search.get('to'));
  if (from !== undefined && to !== undefined && from < to) return { kind: 'fixed', from, to };
  return followed(search.get('last'), standard);
}

/** The range that follows the clock, by its text in an address. */
export function followed(text: string | null, standard = '24h'): TimeRange {
  return { kind: 'last', minutes: minutesOf(text) ?? minutesOf(standard) ?? 60 };
}

export function isTooLong(range: TimeRange): boolean {
  return (
    range.kind === 'fixed' && Date.parse(range.to) - Date.parse(range.from) > longestRangeDays * 86_400_000
  );
}

/**
 * The range as parameters of an address. A fixed range keeps the parameter of the range that was followed
 * before, so that it can be followed again.
 */
export function searchOf(range: TimeRange): { last?: string; from: string; to: string } {
  if (range.kind === 'fixed') return { from: range.from, to: range.to };
  return {
    from: '',
    to: '',
    last: spans.find(({ minutes }) => minutes === range.minutes)?.text ?? `${range.minutes}m`,
  };
}

export function boundsOf(range: TimeRange, nowMs: number): { readonly from: string; readonly to: string } {
  if (range.kind === 'fixed') return { from: range.from, to: range.to };
  const from = new Date(nowMs - range.minutes * 60_000).toISOString();
  return { from, to: new Date(nowMs).toISOString() };
}

/** A range of the same length that ends one minute after this time. */
export function endingWith(range: TimeRange, atMs: number): TimeRange {
  const { from, to } = boundsOf(range, atMs);
  const end = atMs + 60_000;
  const begin = end - (Date.parse(to) - Date.parse(from));
  return { kind: 'fixed', from: new Date(begin).toISOString(), to: new Date(end).toISOString() };
}

/** The same period as a fixed range. */
export function frozen(range: TimeRange, nowMs: number): TimeRange {
  return { kind: 'fixed', ...boundsOf(range, nowMs) };
}

function minutesOf(text: string | null): number | undefined {
  const [, count, unit] = /^(\d{1,5})([mhd])$/.exec(text ?? '') ?? [];
  const minutes = Number(count) * (unit === 'd' ? 1_440 : unit === 'h' ? 60 : 1);
  return minutes >= 1 && minutes <= 43_200 ? minutes : undefined;
}

function timestampOf(text: string | null): string | undefined {
  const millis = text === null ? Number.NaN : Date.parse(text);
  return Number.isNaN(millis) ? undefined : new Date(millis).toISOString();
}
