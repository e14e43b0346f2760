import type { Alphabet } from './runs.js';

/** Behind so many characters of an alphabet at most, from a place on. */
export function skip(plain: string, alphabet: Alphabet, from: number, atMost: number): number {
  let at = from;
  while (at - from < atMost && alphabet.has(plain.charCodeAt(at))) at += 1;
  return at;
}

/** What `\s` stands for, read by hand. The end of a text has no code: NaN. */
export const isWhiteSpace = (code: number): boolean =>
  code <= 32
    ? code === 32 || (code >= 9 && code <= 13)
    : code >= 0xa0 && (code === 0xa0 || /\s/.test(String.fromCharCode(code)));

export function skipWhiteSpace(plain: string, from: number, atMost: number): number {
  let at = from;
  while (at - from < atMost && isWhiteSpace(plain.charCodeAt(at))) at += 1;
  return at;
}

/** Behind what a sticky expression matches at a place, -1 where it does not. */
export function behind(expression: RegExp, plain: string, at: number): number {
  expression.lastIndex = at;
  return expression.test(plain) ? expression.lastIndex : -1;
}
