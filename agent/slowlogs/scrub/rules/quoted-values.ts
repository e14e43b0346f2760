import { codeAt } from '../code-at.js';
import type { Span } from '../span.js';
import { behindBlanks } from './blanks.js';
import { Alphabet } from './runs.js';

export const quotes = Alphabet.of('["\'`]');
/** A prefix that some languages put before a quoted value. */
const quotedPrefix = Alphabet.of('[bBuUrRfF@$]');

/** Behind the marks that open a quoted value at a place, one or three of them; -1 where none do. */
export function openingEnd(plain: string, start: number): number {
  const at = quotedPrefix.has(codeAt(plain, start)) ? start + 1 : start;
  const mark = codeAt(plain, at);
  if (!quotes.has(mark)) return -1;
  const isTriple = mark !== backtick && codeAt(plain, at + 1) === mark && codeAt(plain, at + 2) === mark;
  return isTriple ? at + 3 : at + 1;
}

const [doubleQuote, singleQuote, backtick] = [34, 39, 96];
const tripled = (mark: number): string => (mark === doubleQuote ? '"""' : "'''");
const single = (mark: number): string => (mark === doubleQuote ? '"' : mark === singleQuote ? "'" : '`');

/** The marks that open a value before a place. */
export function openedBy(plain: string, end: number): string {
  const mark = codeAt(plain, end - 1);
  const isTriple = mark !== backtick && codeAt(plain, end - 2) === mark && codeAt(plain, end - 3) === mark;
  return isTriple ? tripled(mark) : single(mark);
}

/** What goes on behind a string of JSON, so near behind its mark. */
const behindString = Alphabet.of('[,:}\\]]');
const nearMark = 20;

/** Up to the same mark. A mark right behind the operator may end a string of JSON: then no value follows. */
export function quotedValue(plain: string, start: number, mark: string): Span | null {
  if (codeAt(plain, start) === mark.charCodeAt(0) && plain.startsWith(mark, start)) return null;
  const behind = behindBlanks(plain, start, nearMark);
  if (behind - start < nearMark && behindString.has(codeAt(plain, behind))) return null;
  const close = plain.indexOf(mark, start);
  return start === plain.length ? null : { start, end: close === -1 ? plain.length : close };
}
