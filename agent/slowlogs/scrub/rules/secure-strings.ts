import { spanOf, type FoundSpan, type Span } from '../span.js';
import type { Units } from '../units.js';
import { inSource, type View } from '../view.js';
import { blanksFrom } from './blanks.js';
import { isQuote } from './quotation-marks.js';

const command = /ConvertTo-SecureString/gi;
/** What may follow the command before the text itself. */
const parameters = /(?:\s{1,4}-(?!String\b)\w{1,20}){0,3}(?:\s{1,4}-String)?\s{1,4}(?!-)/iy;
/** In marks, or a word; variables stay. */
const value = /"(?!\$)[^"\n]{1,200}|'[^'\n]{1,200}|(?![$(%{"'|])[^\s;|)"']{1,200}/y;
const [lineFeed, bar] = [10, 124];
const [valueAtMost, blanksAtMost] = [200, 4];

/** Passwords that PowerShell makes strings of: `ConvertTo-SecureString '…' -AsPlainText`, `'…' | ConvertTo-SecureString`. */
export function secureStrings(view: View): FoundSpan[] {
  const { units } = view;
  const spans: FoundSpan[] = [];
  command.lastIndex = 0;
  for (let found = command.exec(units.text); found !== null; found = command.exec(units.text)) {
    const piped = pipedText(units, found.index);
    if (piped !== null) {
      spans.push(inSource(view, piped.start, piped.end));
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

/** The text that is piped into the command, without its marks. */
function pipedText(units: Units, at: number): Span | null {
  const before = blanksFrom(units, at, blanksAtMost) - 1;
  if (units.at(before) !== bar) return null;
  const close = blanksFrom(units, before, blanksAtMost) - 1;
  if (!isQuote(units.at(close))) return null;
  const until = Math.max(0, close - valueAtMost);
  for (let start = close - 1; start >= until && units.at(start) !== lineFeed; start -= 1)
    if (units.at(start) === units.at(close)) return start + 1 < close ? spanOf(start + 1, close) : null;
  return null;
}
