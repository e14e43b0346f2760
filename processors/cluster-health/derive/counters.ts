/**
 * Figures from two readings of counters. Null wherever a reading is missing or a counter fell: then something restarted
 * unnoticed, and neither a negative number nor a zero would be true.
 */
export type Reading = number | null | undefined;

export function delta(before: Reading, now: Reading): number | null {
  if (before === null || before === undefined || now === null || now === undefined) return null;
  return now < before ? null : now - before;
}

/**
 * Whether any counter fell. Then something restarted unnoticed, and the other counters with it: one that is as high as
 * before, or higher, has grown by an unknown amount.
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

/** The quotient of two deltas; null where the divisor is zero: nothing happened of which there could be a mean. */
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
