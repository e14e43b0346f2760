import type { Span } from '../span.js';
import type { Units } from '../units.js';
import { behindBlanks } from './blanks.js';
import { Alphabet } from './runs.js';

export const quotes = Alphabet.of('["\'`]');
/** A prefix that some languages put before a quoted value. */
const quotedPrefix = Alphabet.of('[bBuUrRfF@$]');

/** Behind the marks that open a quoted value at a place, one or three of them; -1 where none do. */
export function openingEnd(units: Units, start: number): number {
  const at = quotedPrefix.has(units.at(start)) ? start + 1 : start;
  const mark = units.at(at);
  if (!quotes.has(mark)) return -1;
  const isTriple = mark !== backtick && units.at(at + 1) === mark && units.at(at + 2) === mark;
  return isTriple ? at + 3 : at + 1;
}

const [doubleQuote, singleQuote, backtick] = [34, 39, 96];
const tripled = (mark: number): string => (mark === doubleQuote ? '"""' : "'''");
const single = (mark: number): string => (mark === doubleQuote ? '"' : mark === singleQuote ? "'" : '`');

/** The marks that open a value before a place. */
export function openedBy(units: Units, end: number): string {
  const mark = units.at(end - 1);
  const isTriple = mark !== backtick && units.at(end - 2) === mark && units.at(end - 3) === mark;
  return isTriple ? tripled(mark) : single(mark);
}

/** What goes on behind a string of JSON, so near behind its mark. */
const behindString = Alphabet.of('[,:}\\]]');
const nearMark = 20;

/** Up to the same mark. A mark right behind the operator may end a string of JSON: then no value follows. */
export function quotedValue(units: Units, start: number, mark: string): Span | null {
  if (units.at(start) === mark.charCodeAt(0) && units.text.startsWith(mark, start)) return null;
  const behind = behindBlanks(units, start, nearMark);
  if (behind - start < nearMark && behindString.has(units.at(behind))) return null;
  const close = units.text.indexOf(mark, start);
  return start === units.length ? null : { start, end: close === -1 ? units.length : close };
}
