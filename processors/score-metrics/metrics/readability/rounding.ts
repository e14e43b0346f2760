const scales = [1, 10, 100] as const;

/**
 * Rounds half away from zero, as the reference does between and after its steps. Not Math.round: a negative
 * number is moved down by a half and then floored, so -0.04 to one decimal is -0.1.
 */
export function roundAway(value: number, decimals: 0 | 1 | 2): number {
  const scale = scales[decimals];
  const half = value < 0 || Object.is(value, -0) ? -0.5 : 0.5;
  return Math.floor(value * scale + half) / scale;
}
