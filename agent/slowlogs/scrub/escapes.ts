const backslash = 0x5c;
const percent = 0x25;
const ampersand = 0x26;
/** What a letter behind backslashes stands for. */
export const resolved: Readonly<Record<string, number>> = {
  n: 10,
  r: 13,
  t: 9,
  b: 8,
  f: 12,
  '"': 34,
  "'": 39,
  '/': 47,
};

export type Unit = readonly [unit: number, width: number];

/** The character at a place with its escapes resolved, however deep they are, and how much of the text it takes. */
export function unitAt(source: string, at: number): Unit {
  const unit = source.charCodeAt(at);
  if (unit === percent) return percentEscape(source, at);
  if (unit === ampersand) return markOfHtml(source, at);
  if (unit !== backslash) return [unit, 1];
  let end = at + 1;
  while (source.charCodeAt(end) === backslash) end += 1;
  const letter = source[end] ?? '';
  const meant = resolved[letter];
  if (meant !== undefined) return [meant, end + 1 - at];
  const hexadecimal = letter === 'u' ? hexAt(source, end + 1, 4) : null;
  return hexadecimal === null ? [backslash, end - at] : [hexadecimal, end + 5 - at];
}

/** A short text without its escapes: names are. */
export function withoutEscapes(text: string): string {
  if (!text.includes('\\') && !text.includes('%')) return text;
  let plain = '';
  let from = 0;
  for (let at = 0; at < text.length;) {
    const code = text.charCodeAt(at);
    if (code !== backslash && code !== percent) {
      at += 1;
      continue;
    }
    const [unit, width] = unitAt(text, at);
    plain += text.slice(from, at) + String.fromCharCode(unit);
    at += width;
    from = at;
  }
  return plain + text.slice(from);
}

/** What the next may mean: an escape of Lucene's syntax or of a regular expression, or its blanks and signs. */
const inQueries = /\\[^A-Za-rt-z0-9"'\\/]|\[(?:[:= ]|\\+s)/;
const escapedSign = /\\+([ -/:-@[\]^_`{|}~])/y;
/** `\s*`, and a choice of signs between a name and its value, `[:=]`. */
const anyBlanks = /\\+s[*+?]?/y;
const anySign = /\[(?:[: ]|\\+s){0,3}[:=](?:[:= ]|\\+s){0,3}\][*+?]?/y;

export const mayHoldQuery = (source: string): boolean => inQueries.test(source);

/** As above, where a text may be a query in Lucene's syntax or a regular expression: both escape what is no letter. */
export function unitInQueryAt(source: string, at: number): Unit {
  const first = source.charCodeAt(at);
  if (first === openBracket && matches(anySign, source, at)) return [equal, anySign.lastIndex - at];
  if (first !== backslash) return unitAt(source, at);
  if (matches(anyBlanks, source, at)) return [blank, anyBlanks.lastIndex - at];
  return matches(escapedSign, source, at)
    ? [source.charCodeAt(escapedSign.lastIndex - 1), escapedSign.lastIndex - at]
    : unitAt(source, at);
}

const [blank, equal, openBracket] = [32, 61, 91];

function matches(expression: RegExp, source: string, at: number): boolean {
  expression.lastIndex = at;
  return expression.test(source);
}

/** The marks of HTML within its texts. Its `&amp;` parts values as `&` does. */
const ofHtml = /&(quot|apos|lt|gt|#(?:34|39|60|62|x(?:22|27|3c|3e)));/iy;
const marksOfHtml = new Map([
  ...['quot', '#34', '#x22'].map((name) => [name, 34] as const),
  ...['apos', '#39', '#x27'].map((name) => [name, 39] as const),
  ...['lt', '#60', '#x3c'].map((name) => [name, 60] as const),
  ...['gt', '#62', '#x3e'].map((name) => [name, 62] as const),
]);

export const mayHoldHtml = (source: string): boolean => /&(?:quot|apos|[lg]t|#[36x])/i.test(source);

function markOfHtml(source: string, at: number): Unit {
  ofHtml.lastIndex = at;
  const mark = marksOfHtml.get(ofHtml.exec(source)?.[1]?.toLowerCase() ?? '');
  return mark === undefined ? [ampersand, 1] : [mark, ofHtml.lastIndex - at];
}

/** Only what is printable ASCII, a tab or a line break: the rest stays as it is. `%253D` is `=`, encoded twice. */
function percentEscape(source: string, at: number): Unit {
  let code = percent;
  let end = at + 1;
  for (let next = textAt(source, end); next !== null; next = code === percent ? textAt(source, end) : null) {
    code = next;
    end += 2;
  }
  return [code, end - at];
}

function textAt(source: string, at: number): number | null {
  const code = hexAt(source, at, 2);
  const isText =
    code !== null && ((code >= 0x20 && code < 0x7f) || code === 0x09 || code === 0x0a || code === 0x0d);
  return isText ? code : null;
}

function hexAt(source: string, at: number, digits: number): number | null {
  const text = source.slice(at, at + digits);
  return text.length === digits && /^[0-9A-Fa-f]+$/.test(text) ? Number.parseInt(text, 16) : null;
}
