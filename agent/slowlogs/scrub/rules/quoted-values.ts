import { spanOf, type Span } from '../span.js';
import type { Units } from '../units.js';
import type { View } from '../view.js';
import { behindBlanks, isBlank } from './blanks.js';
import { closingMark, isEscapedMore } from './escaped-marks.js';
import { skip } from './reading.js';
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
const closers = Alphabet.of('[}\\]]');
const openers = Alphabet.of('[{[]');
const [comma, colon] = [44, 58];
const nearMark = 20;
/** Of a value that may be none, so much is looked at. */
export const doubtfulAtMost = 8_192;

/** Up to the mark that closes it. A mark right behind the operator may end a string of JSON: then no value follows. */
export function quotedValue(view: View, start: number, mark: string, atMost = Infinity): Span | null {
  const { units } = view;
  const code = mark.charCodeAt(0);
  const isSingle = mark.length === 1;
  if (units.at(start) === code && units.text.startsWith(mark, start))
    if (!isSingle || !isEscapedMore(view, start, start - 1)) return null;
  const behind = behindBlanks(units, start, nearMark);
  if (behind - start < nearMark && behindString.has(units.at(behind)))
    if (view.stringEnd(start - 1) === start - 1 || goesOnAsJson(units, behind, code)) return null;
  if (start === units.length) return null;
  let close = units.text.indexOf(mark, start);
  if (isSingle && close !== -1 && (view.widthAt(close) > 1 || !endsHere(units, close, code)))
    close = closingMark(view, start, code, close, Math.min(view.stringEnd(start), start + atMost));
  return spanOf(start, close === -1 ? units.length : close);
}

const backslash = 92;

/** Whether nothing around a mark that is not escaped says that a value goes on. */
const endsHere = (units: Units, close: number, code: number): boolean =>
  units.at(close + 1) !== code && units.at(close - 1) !== backslash;

/** Whether a sign behind a mark and what follows it are of JSON that goes on behind a string. */
function goesOnAsJson(units: Units, at: number, mark: number): boolean {
  const sign = skip(units, closers, at, nearMark);
  const next = units.at(sign);
  if (sign > at + 1) return true;
  if (next !== comma && next !== colon) return sign > at && (isBlank(next) || next === mark || next === 0);
  const value = units.at(behindBlanks(units, sign + 1, nearMark));
  return value === mark || openers.has(value);
}
