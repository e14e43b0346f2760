/** Returns the time in whole microseconds since 1970; passed in, so that tests choose it. */
export type Clock = () => number;

/**
 * If the clocks differ by more than this (NTP, a suspended machine), the monotonic clock is set to the wall
 * clock.
 */
const driftMs = 2;
let anchorMs = performance.timeOrigin;

export const systemClock: Clock = () => {
  const wall = Date.now();
  const now = anchorMs + performance.now();
  if (Math.abs(now - wall) <= driftMs) return Math.floor(now * 1_000);
  anchorMs = wall - performance.now();
  return wall * 1_000;
};

/** ISO 8601 in UTC with six decimals and `Z`. */
export function isoMicroseconds(microseconds: number): string {
  const seconds = new Date(Math.floor(microseconds / 1_000)).toISOString().slice(0, -1);
  return `${seconds}${String(microseconds % 1_000).padStart(3, '0')}Z`;
}
