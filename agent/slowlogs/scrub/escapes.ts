const backslash = 0x5c;
const percent = 0x25;
const resolved: Readonly<Record<string, number>> = {
  n: 10,
  r: 13,
  t: 9,
  b: 8,
  f: 12,
  '"': 34,
  "'": 39,
  '/': 47,
};

/** The character at a place with its escapes resolved, however deep they are, and how much of the text it takes. */
export function unitAt(source: string, at: number): readonly [unit: number, width: number] {
  const unit = source.charCodeAt(at);
  if (unit === percent) return percentEscape(source, at);
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
  for (let at = 0; at < text.length;) {
    const [unit, width] = unitAt(text, at);
    plain += String.fromCharCode(unit);
    at += width;
  }
  return plain;
}

/** Only what is printable ASCII, a tab or a line break: the rest stays as it is. */
function percentEscape(source: string, at: number): readonly [unit: number, width: number] {
  const code = hexAt(source, at + 1, 2);
  const isText =
    code !== null && ((code >= 0x20 && code < 0x7f) || code === 0x09 || code === 0x0a || code === 0x0d);
  return isText ? [code, 3] : [percent, 1];
}

function hexAt(source: string, at: number, digits: number): number | null {
  const text = source.slice(at, at + digits);
  return text.length === digits && /^[0-9A-Fa-f]+$/.test(text) ? Number.parseInt(text, 16) : null;
}
