import type { BoundedRange } from '../results/result-reader.js';

const minuteUs = 60_000_000;
const standardBuckets = 60;
/** Seconds: the usual divisions of an hour and a day. */
const steps = [60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400, 21_600, 43_200, 86_400] as const;
const lastSecond = 9_223_372_036;

export interface Minutes {
  /** Seconds since 1970. */
  readonly since: number;
  readonly until: number;
  /** The step of a series, in seconds. */
  readonly step: number;
}

/**
 * The whole minutes that a range touches, because figures are kept per minute. The step is chosen so that a
 * series has at most `buckets` points.
 */
export function minutesOf({ from, to }: BoundedRange, buckets = standardBuckets): Minutes {
  const since = Math.min(Math.floor(from / minuteUs) * 60, lastSecond);
  const until = Math.min(Math.ceil(to / minuteUs) * 60, lastSecond);
  const step = steps.find((seconds) => (until - since) / seconds <= buckets) ?? 86_400;
  return { since, until, step };
}

/** Restricts a query to whole minutes, with the same expression as the projection `entries_by_minute`. */
export const inMinutes =
  'toStartOfMinute(Timestamp) >= toDateTime({since:UInt32}) AND toStartOfMinute(Timestamp) < toDateTime({until:UInt32})';
