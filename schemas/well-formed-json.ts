/**
 * What JSON.stringify wrote, with U+FFFD for each half of a surrogate pair: it escapes those, and keeps pairs as they are.
 * UTF-8 has no halves, and ClickHouse refuses a row whose text hides one in an escape.
 */
export function wellFormedJson(json: string): string {
  if (!/\\ud[89a-f]/.test(json)) return json;
  return json.replace(/\\(?:ud[89a-f][0-9a-f]{2}|.)/g, (escape) => (escape.length === 6 ? '\uFFFD' : escape));
}
