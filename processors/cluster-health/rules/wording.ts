/** `3 replica shards`, `1 replica shard`. */
export function count(amount: number, singular: string, plural = `${singular}s`): string {
  return `${amount} ${amount === 1 ? singular : plural}`;
}

/** The first names, and how many there are besides. */
export function named(names: readonly string[], shown = 5): string {
  const rest = names.length - shown;
  return `${names.slice(0, shown).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

/** `node-1, node-2` where all of them are meant, `one of node-1, node-2` where it is not known which. */
export function among(amount: number, names: readonly string[]): string {
  if (amount >= names.length) return named(names);
  return `${amount === 1 ? 'one' : amount} of ${named(names)}`;
}

export function percent(ratio: number): string {
  return `${Math.round(ratio * 1_000) / 10}%`;
}

const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const;

export function bytes(amount: number): string {
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(1, amount)) / 10)));
  return `${Math.round((amount / 1_024 ** power) * 10) / 10} ${units[power] ?? 'B'}`;
}
