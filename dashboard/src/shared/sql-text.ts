import { boundsOf, type TimeRange } from './time-range.js';

/** A text as ClickHouse reads it. */
export const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/** The conditions that hold a column to a range. */
export function inRange(column: string, range: TimeRange, nowMs: number): readonly string[] {
  const { from, to } = boundsOf(range, nowMs);
  return [
    `${column} >= parseDateTime64BestEffort(${quoted(from)}, 6)`,
    `${column} < parseDateTime64BestEffort(${quoted(to)}, 6)`,
  ];
}
