/**
 * Figures from two readings of counters, `null` wherever one is missing or a counter fell: then something began anew
 * that was not noticed, and neither a negative number nor a zero would be true.
 */
export type Reading = number | null | undefined;

export function delta(before: Reading, now: Reading): number | null {
  if (before === null || before === undefined || now === null || now === undefined) return null;
  return now < before ? null : now - before;
}

/**
 * Whether any counter fell. Then something began anew unnoticed, and the others with it: one that stands where it stood,
 * or higher, has grown again by nobody knows how much.
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

/** The quotient of two deltas; null where the divisor did not move: nothing happened whose mean could be told. */
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
