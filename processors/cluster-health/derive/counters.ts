/**
 * Figures from two readings of counters. Null if a reading is missing or a counter fell. A counter that fell
 * means an unnoticed restart: neither a negative number nor zero would be true.
 */
export type Reading = number | null | undefined;

export function delta(before: Reading, now: Reading): number | null {
  if (before === null || before === undefined || now === null || now === undefined) return null;
  return now < before ? null : now - before;
}

/**
 * Whether any counter fell. Then something restarted unnoticed and reset the other counters too: one that is
 * as high as before, or higher, has grown by an unknown amount.
 */
export function wereSetBack(
  before: Readonly<Record<string, Reading>>,
  now: Readonly<Record<string, unknown>>,
): boolean {
  return Object.entries(before).some(([name, then]) => {
    const reading = now[name];
    return typeof then === 'number' && typeof reading === 'number' && reading < then;
  });
}

/** The quotient of two deltas; null if the divisor is zero, because there was nothing to average. */
export function quotient(dividend: number | null, divisor: number | null): number | null {
  return dividend === null || divisor === null || divisor === 0 ? null : dividend / divisor;
}

/** `part` of `part + rest`. */
export function ratio(part: number | null, rest: number | null): number | null {
  return part === null || rest === null ? null : quotient(part, part + rest);
}

/** Change of a gauge, which may fall. */
export function growthPerSecond(before: Reading, now: Reading, seconds: number): number | null {
  if (before === null || before === undefined || now === null || now === undefined) return null;
  return (now - before) / seconds;
}
