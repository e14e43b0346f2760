/**
 * Rounds to four decimals like Python's `round(x, 4)`: by the exact binary value, a tie to the even digit.
 * `toFixed` is exact too but rounds ties up; four decimals tie only at odd multiples of 1/32.
 */
export function roundHalfEven(value: number): number {
  const thirtySeconds = value * 32;
  if (Number.isInteger(thirtySeconds) && thirtySeconds % 2 !== 0) {
    const below = Math.floor(value * 10_000);
    return (below % 2 === 0 ? below : below + 1) / 10_000;
  }
  return Number(value.toFixed(4)) + 0;
}
