import type { FoundSpan } from '../span.js';
import { inSource, type Rule, type View } from '../view.js';
import { matchesOf } from './matches.js';

/**
 * JSON Web Tokens (RFC 7519), signed, encrypted or unsigned: a header in base64url, a dot, and more. A text that was
 * cut may end in the header.
 */
const token =
  /(?<![A-Za-z0-9_-])((?:ey|ew[og])[A-Za-z0-9_-]{10,}={0,2})(?:\.[A-Za-z0-9_/+=-]{3,}(?:\.[A-Za-z0-9_/+=-]*){0,3}|$)/g;

/** A token that was encoded in base64 once more, where `eyJ` comes out as `ZXlK`; the older API keys of Grafana. */
const encodedAgain =
  /(?<![A-Za-z0-9_-])(?:ZXlK[A-Za-z0-9+/_-]{40,}={0,2}|eyJrIjoi[A-Za-z0-9+/_-]{40,}={0,2})/g;

export const webTokens: Rule = {
  name: 'web-tokens',
  find: (view) => [
    ...matchesOf(view, token, ({ 0: whole, 1: header = '' }) =>
      isHeader(header, view.cutOff && whole === header),
    ),
    ...matchesOf(view, encodedAgain),
    ...glued(view),
  ],
};

const isOfBase64 = (code: number): boolean =>
  (code >= 48 && code <= 57) ||
  (code >= 65 && code <= 90) ||
  (code >= 97 && code <= 122) ||
  code === 45 ||
  code === 95;
const headerAtMost = 4_096;
/** Of the shortest object that names something, `{"kid":1}`. */
const headerAtLeast = 12;
const payload = /\.[A-Za-z0-9_=-]{3,}(?:\.[A-Za-z0-9_=-]*)?/y;

/** Tokens right behind other letters: both of their first parts are objects, whose encodings begin alike. */
function glued(view: View): FoundSpan[] {
  const { plain } = view;
  const spans: FoundSpan[] = [];
  let taken = 0;
  for (let dot = plain.indexOf('.eyJ'); dot !== -1; dot = plain.indexOf('.eyJ', Math.max(taken, dot + 1))) {
    let from = dot;
    while (from > taken && dot - from < headerAtMost && isOfBase64(plain.charCodeAt(from - 1))) from -= 1;
    const header = plain.slice(from, dot);
    const start = header.indexOf('eyJ');
    if (start === -1 || header.length - start < headerAtLeast || !isHeader(header.slice(start), false))
      continue;
    payload.lastIndex = dot;
    payload.test(plain);
    taken = Math.max(payload.lastIndex, dot + 1);
    spans.push(inSource(view, from + start, taken));
  }
  return spans;
}

/** A JOSE header (RFC 7515): an object that names an algorithm or a type. */
function isHeader(text: string, cutOff: boolean): boolean {
  const decoded = Buffer.from(text.slice(0, 4_096), 'base64url').toString('latin1').trim();
  return (
    cutOff ||
    (decoded.endsWith('}') && /"(?:alg|enc|typ|kid|cty|x5[ctu])"/.test(decoded)) ||
    text.length >= 4_096
  );
}
