import { backslashesAt } from './json-strings.js';
import type { Tokens } from './json-tokens.js';
import type { FoundSpan } from './span.js';

/**
 * What is found beside the strings and values of JSON where no JSON is: behind its end, and in what only begins as JSON
 * does. Each span goes up to the next string at most. They are in order, as those given are, and do not overlap.
 */
export function besideJson(
  source: string,
  tokens: Tokens,
  spans: readonly FoundSpan[],
): readonly FoundSpan[] {
  const beside: FoundSpan[] = [];
  let read = 0;
  for (const span of spans) {
    const start = Math.max(span.start, read);
    const end = start < span.end ? endBeside(tokens, start, span.end) : start;
    if (end <= start) continue;
    read = end;
    if (holdsOther(source, tokens, start, end)) beside.push({ ...span, start, end });
  }
  return beside;
}

/** Where the next string begins, with its marks; the place itself where it is in one. */
function endBeside(tokens: Tokens, start: number, end: number): number {
  for (let at = tokens.firstEndingFrom(start + 1); at < tokens.length; at += 1) {
    const token = tokens.at(at);
    if (token.start >= end) break;
    if (token.isString) return Math.min(end, token.start - 1 - backslashesAt(token.depth));
  }
  return end;
}

/** Whether there is more in a stretch than numbers, words, signs and blanks of JSON. */
function holdsOther(source: string, tokens: Tokens, start: number, end: number): boolean {
  let token = tokens.firstEndingFrom(start + 1);
  for (let at = start; at < end;) {
    while (token < tokens.length && tokens.endOf(token) <= at) token += 1;
    if (token < tokens.length && tokens.startOf(token) <= at) at = tokens.endOf(token);
    else {
      const behind = behindSign(source, at);
      if (behind === at) return true;
      at = behind;
    }
  }
  return false;
}

const signs: ReadonlySet<number> = new Set(Array.from('{}[]:,"', (sign) => sign.charCodeAt(0)));
const [blank, backslash] = [32, 92];
const escape = /\\+(?:[nrt]|u[0-9a-fA-F]{4})?/y;

/** A sign or a blank of JSON; either may be escaped. */
function behindSign(source: string, at: number): number {
  const code = source.charCodeAt(at);
  if (code === backslash) {
    escape.lastIndex = at;
    return escape.test(source) ? escape.lastIndex : at;
  }
  return code <= blank || signs.has(code) ? at + 1 : at;
}
