import { formatTimestamp, type Zone } from './format.js';
import { longestRangeDays, type TimeRange } from './time-range.js';

/** A timestamp in the form of a `datetime-local` field, in a zone. */
export const fieldOf = (timestamp: string, zone: Zone): string =>
  formatTimestamp(timestamp, zone).replace(' ', 'T');

const millisOf = (field: string, zone: Zone): number => Date.parse(zone === 'utc' ? `${field}Z` : field);

/** The range in two fields, or what is wrong with them. */
export function rangeOfFields(
  from: string,
  to: string,
  zone: Zone,
): TimeRange | { readonly mistake: string } {
  const [begin, end] = [millisOf(from, zone), millisOf(to, zone)];
  if (Number.isNaN(begin) || Number.isNaN(end)) return { mistake: 'Give both timestamps.' };
  if (begin >= end) return { mistake: 'The range must end after it begins.' };
  if (end - begin > longestRangeDays * 86_400_000)
    return { mistake: `A range can have at most ${longestRangeDays} days.` };
  return { kind: 'fixed', from: new Date(begin).toISOString(), to: new Date(end).toISOString() };
}
