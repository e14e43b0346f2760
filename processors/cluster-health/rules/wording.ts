/** `3 replica shards`, `1 replica shard`. */
export function count(amount: number, singular: string, plural = `${singular}s`): string {
  return `${amount} ${amount === 1 ? singular : plural}`;
}

/** `a`, `a and b`, `a, b, c, d, e and 2 more`. `total`: how many, if `names` are not all. */
export function named(names: readonly string[], shown = 5, total = names.length): string {
  const first = names.slice(0, shown);
  const rest = total - first.length;
  const last = rest > 0 ? `${rest} more` : first.pop();
  return first.length === 0 ? (last ?? '') : `${first.join(', ')} and ${last}`;
}

/** `node-1 and node-2` if all of them are meant, `one of node-1 and node-2` if it is unknown which. */
export function among(amount: number, names: readonly string[]): string {
  if (amount >= names.length) return named(names);
  return `${amount === 1 ? 'one' : amount} of ${named(names)}`;
}

export function percent(ratio: number, decimals = 0): string {
  const scale = 10 ** decimals;
  return `${Math.round(ratio * 100 * scale) / scale}%`;
}

/** The lower bound of a figure in all samples, and 100% at most. */
export function atLeast(percentage: number): string {
  return percentage >= 100 ? '100%' : `at least ${Math.floor(percentage)}%`;
}

export const eachOfLast = (samples: number): string =>
  samples === 1 ? 'the last sample' : `each of the last ${samples} samples`;

/** `40 s`, `12 min`, `3.5 h`. */
export function duration(milliseconds: number): string {
  const seconds = milliseconds / 1_000;
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  return `${Math.round(seconds / 360) / 10} h`;
}

const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const;

export function bytes(amount: number): string {
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(1, amount)) / 10)));
  return `${Math.round((amount / 1_024 ** power) * 10) / 10} ${units[power] ?? 'B'}`;
}
