/**
 * JSON.stringify's output with U+FFFD for each unpaired half of a surrogate pair: JSON.stringify escapes only
 * those. UTF-8 can't encode halves, and ClickHouse refuses a row whose text has one in an escape.
 */
export function wellFormedJson(json: string): string {
  if (!/\\ud[89a-f]/.test(json)) return json;
  return json.replace(/\\(?:ud[89a-f][0-9a-f]{2}|.)/g, (escape) => (escape.length === 6 ? '\uFFFD' : escape));
}
