const short: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

/**
 * Removes the escapes that a log added to a JSON text, up to three levels (8.x escapes a source twice). The
 * first quotation mark of a JSON text has no backslash before it. A text that was cut keeps its rest.
 */
export function withoutLogEscapes(text: string): string {
  let plain = text;
  for (let level = 0; level < 3; level += 1) {
    const quote = plain.indexOf('"');
    if (quote < 1 || plain[quote - 1] !== '\\') return plain;
    plain = unescaped(plain);
  }
  return plain;
}

function unescaped(text: string): string {
  return text.replace(/\\(?:u([0-9a-fA-F]{4})|([\s\S]))/g, (_, code: string | undefined, letter: string) =>
    code === undefined ? (short[letter] ?? letter) : String.fromCharCode(Number.parseInt(code, 16)),
  );
}
