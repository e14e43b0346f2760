import type { Span } from '../span.js';
import { Alphabet } from './runs.js';

export const quotes = Alphabet.of('["\'`]');
/** A prefix that some languages put before a quoted value. */
const quotedPrefix = Alphabet.of('[bBuUrRfF@$]');

export interface Opening {
  readonly mark: string;
  /** Where the value begins. */
  readonly end: number;
}

/** The marks that open a quoted value at a place, one or three of them. */
export function openingMark(plain: string, start: number): Opening | null {
  const at = quotedPrefix.has(plain.charCodeAt(start)) ? start + 1 : start;
  if (!quotes.has(plain.charCodeAt(at))) return null;
  const mark = plain[at] ?? '"';
  const isTriple = mark !== '`' && plain[at + 1] === mark && plain[at + 2] === mark;
  return isTriple ? { mark: mark.repeat(3), end: at + 3 } : { mark, end: at + 1 };
}

/** What goes on behind a string of JSON, so near behind its mark. */
const behindString = Alphabet.of('[,:}\\]]');
const nearMark = 20;

/** Up to the same mark. A mark right behind the operator may end a string of JSON: then no value follows. */
export function quotedValue(plain: string, start: number, mark: string): Span | null {
  if (plain.startsWith(mark, start)) return null;
  let behind = start;
  while (behind - start < nearMark && isBlank(plain.charCodeAt(behind))) behind += 1;
  if (behind - start < nearMark && behindString.has(plain.charCodeAt(behind))) return null;
  const close = plain.indexOf(mark, start);
  return start === plain.length ? null : { start, end: close === -1 ? plain.length : close };
}

/** What `\s` stands for, read by hand. */
const isBlank = (code: number): boolean =>
  code <= 32
    ? code === 32 || (code >= 9 && code <= 13)
    : code >= 0xa0 && (code === 0xa0 || /\s/.test(String.fromCharCode(code)));
