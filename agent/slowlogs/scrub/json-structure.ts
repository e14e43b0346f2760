import { backslashesAt, depthOf, endOfString, isJson } from './json-strings.js';
import { Tokens } from './json-tokens.js';
import type { Span } from './span.js';

/** An object or a list: a log's line may begin with a bracket as well, `[INFO]` or `[redacted]`. */
const beginsAsJson =
  /^[\s\\"]*(?:\{|\[(?:\s|\\+[nrt])*(?:[{["\\\]]|(?:-?\d[\d.eE+-]{0,40}|true|false|null)\s*(?:,|\\|\]?\s*$)|$))/;

/** Whether a text begins as JSON does, whole or cut off, however often it was escaped. */
export const looksLikeJson = (source: string): boolean => beginsAsJson.test(source.slice(0, 64));

/** Whether JSON has lost its end. */
export const isCutOff = (source: string): boolean =>
  looksLikeJson(source) && !/[}\]]["\s]*$/.test(source.slice(-64));

/**
 * The strings and values of JSON, in order. A string that is JSON itself gives its own instead, as deep as that may be.
 * Of JSON that was cut off the last string goes on to the end. A text that is no JSON has none.
 */
export function tokensOf(source: string): Tokens {
  const tokens = new Tokens();
  const mark = source.indexOf('"');
  let backslashes = 0;
  while (source[mark - 1 - backslashes] === '\\') backslashes += 1;
  const depth = depthOf(backslashes);
  const isString = /^\s*\\*"/.test(source.slice(0, 64)) && isJson(source, depth);
  if (!isString && !looksLikeJson(source)) return tokens;
  collect(source, { start: 0, end: source.length }, depth, tokens);
  return tokens;
}

function collect(source: string, whole: Span, depth: number, tokens: Tokens): void {
  const width = backslashesAt(depth) + 1;
  for (let at = whole.start; at < whole.end;) {
    const mark = source.indexOf('"', at);
    const until = mark === -1 || mark >= whole.end ? whole.end : mark;
    collectLiterals(source, at, until, depth, tokens);
    if (until === whole.end) return;
    const start = until + 1;
    const end = endOfString(source, start, depth);
    if (holdsJson(source, start, end, depth + 1)) collect(source, { start, end }, depth + 1, tokens);
    else tokens.add(start, end, true, depth);
    at = end + width;
  }
}

const literal = /-?\d[\d.eE+-]*|true|false|null/y;
const literalStarts = new Uint8Array(128);
for (const first of '-0123456789tfn') literalStarts[first.charCodeAt(0)] = 1;

function collectLiterals(source: string, from: number, until: number, depth: number, tokens: Tokens): void {
  for (let at = from; at < until; at += 1) {
    if (literalStarts[source.charCodeAt(at)] !== 1) continue;
    literal.lastIndex = at;
    if (!literal.test(source)) continue; // the n of an escaped line break
    tokens.add(at, Math.min(literal.lastIndex, until), false, depth);
    at = literal.lastIndex - 1;
  }
}

/** Most strings show by their ends that they are none. */
function holdsJson(source: string, start: number, end: number, depth: number): boolean {
  if (
    end - start < 2 ||
    !'{[\\" '.includes(source[start] ?? '') ||
    !'}]"nrt '.includes(source[end - 1] ?? '')
  )
    return false;
  return (
    looksLikeJson(source.slice(start, Math.min(end, start + 64))) && isJson(source.slice(start, end), depth)
  );
}
