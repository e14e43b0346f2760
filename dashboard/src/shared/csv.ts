type CsvValue = string | number | boolean | null | undefined;
export type CsvRow = Readonly<Record<string, CsvValue>>;

/** Adds an apostrophe before a text that a spreadsheet would take for a formula. */
const harmless = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);

const fieldOf = (value: CsvValue): string => {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return String(value);
  return `"${harmless(value).replaceAll('"', '""')}"`;
};

/** Rows as CSV (RFC 4180), with the first row's field names as the header. Unknown values are empty. */
export function csvOf(rows: readonly CsvRow[]): string {
  const names = Object.keys(rows[0] ?? {});
  const lines = rows.map((row) => names.map((name) => fieldOf(row[name])).join(','));
  return [names.map(fieldOf).join(','), ...lines, ''].join('\r\n');
}
