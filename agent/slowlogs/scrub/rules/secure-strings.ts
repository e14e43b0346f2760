import type { FoundSpan } from '../span.js';
import type { Units } from '../units.js';
import { inSource, type View } from '../view.js';
import { blanksFrom } from './blanks.js';

const command = /ConvertTo-SecureString/gi;
/** What may follow the command before the text itself. */
const parameters = /(?:\s{1,4}-(?!String\b)\w{1,20}){0,3}(?:\s{1,4}-String)?\s{1,4}(?!-)/iy;
/** In marks, or a word; variables stay. */
const value = /"(?!\$)[^"\n]{1,200}|'[^'\n]{1,200}|(?![$(%{"'|])[^\s;|)"']{1,200}/y;
const [lineFeed, doubleQuote, singleQuote, bar] = [10, 34, 39, 124];
const [valueAtMost, blanksAtMost] = [200, 4];

/** Passwords that PowerShell makes strings of: `ConvertTo-SecureString '…' -AsPlainText`, `'…' | ConvertTo-SecureString`. */
export function secureStrings(view: View): FoundSpan[] {
  const { units } = view;
  const spans: FoundSpan[] = [];
  command.lastIndex = 0;
  for (let found = command.exec(units.text); found !== null; found = command.exec(units.text)) {
    const piped = pipedStart(units, found.index);
    if (piped !== -1) {
      spans.push(inSource(view, piped, blanksFrom(units, barBefore(units, found.index), blanksAtMost) - 1));
      continue;
    }
    parameters.lastIndex = command.lastIndex;
    if (!parameters.test(units.text)) continue;
    value.lastIndex = parameters.lastIndex;
    if (!value.test(units.text)) continue;
    const start = isQuote(units.at(parameters.lastIndex)) ? parameters.lastIndex + 1 : parameters.lastIndex;
    spans.push(inSource(view, start, Math.min(value.lastIndex, view.stringEnd(start))));
  }
  return spans;
}

const isQuote = (code: number): boolean => code === doubleQuote || code === singleQuote;

/** Where the bar stands behind which the command begins, -1 where none does. */
function barBefore(units: Units, at: number): number {
  const bars = blanksFrom(units, at, blanksAtMost) - 1;
  return units.at(bars) === bar ? bars : -1;
}

/** Where the text begins that is piped into the command, behind its mark; -1 where none is. */
function pipedStart(units: Units, at: number): number {
  const before = barBefore(units, at);
  const close = before === -1 ? -1 : blanksFrom(units, before, blanksAtMost) - 1;
  if (close === -1 || !isQuote(units.at(close))) return -1;
  const until = Math.max(0, close - valueAtMost);
  for (let start = close - 1; start >= until && units.at(start) !== lineFeed; start -= 1)
    if (units.at(start) === units.at(close)) return start + 1 < close ? start + 1 : -1;
  return -1;
}
