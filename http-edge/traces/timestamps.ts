/** Converts nanoseconds since 1970, as decimal text, to ISO 8601 with all nine digits of the second. */
export function timestampOf(nanoseconds: string): string {
  const second = new Date(Number(nanoseconds.slice(0, -9)) * 1_000).toISOString().slice(0, 19);
  return `${second}.${nanoseconds.slice(-9).padStart(9, '0')}Z`;
}
