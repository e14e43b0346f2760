const secondMicros = 1_000_000;
/** The second that was written last, as most moments lie in the same one or the next: a date costs ten times as much. */
let written = { second: Number.NaN, text: '' };

/** Microseconds since 1970 as ClickHouse reads a DateTime64(6) in UTC. */
export function timestamp(micros: number): string {
  const second = Math.floor(micros / secondMicros);
  if (second !== written.second) {
    const iso = new Date(second * 1_000).toISOString();
    written = { second, text: `${iso.slice(0, 10)} ${iso.slice(11, 19)}` };
  }
  return `${written.text}.${String(micros - second * secondMicros).padStart(6, '0')}`;
}
