import type { FoundSpan } from '../span.js';
import type { Units } from '../units.js';
import { inSource, type View } from '../view.js';
import { blanksFrom, isBlank } from './blanks.js';
import { isAtInAnyCase, isWordUnit } from './words-at.js';

const nowhere = -1;
const [lineFeed, singleQuote, equals] = [10, 39, 61];
const passwordAtMost = 200;

/** SQL that sets a password: `IDENTIFIED BY '…'`, `SET PASSWORD = '…'`, `PASSWORD '…'`. Read from the mark. */
export function setPasswords(view: View): FoundSpan[] {
  const { units } = view;
  const spans: FoundSpan[] = [];
  let taken = 0;
  for (let at = units.text.indexOf("'"); at !== nowhere && at < units.length; at += 1) {
    if (units.at(at) !== singleQuote || !isBlank(units.at(at - 1))) continue;
    const clause = clauseStart(units, blanksFrom(units, at, 4));
    if (clause === nowhere || clause < taken) continue;
    const start = at + 1;
    const found = passwordEnd(units, start);
    if (found === start) continue;
    taken = Math.min(found, view.stringEnd(start));
    spans.push(inSource(view, start, taken));
    at = Math.max(taken, start) - 1;
  }
  return spans;
}

/** Where the words begin that end at a place, -1 where they are others. */
function clauseStart(units: Units, end: number): number {
  if (isAtInAnyCase(units, end - 8, 'password')) return end - 8;
  if (units.at(end - 1) === equals) {
    const password = wordBefore(units, end - 1, 'password');
    return password === nowhere ? nowhere : wordBefore(units, password, 'set');
  }
  if (!isAtInAnyCase(units, end - 2, 'by')) return nowhere;
  const identified = wordBefore(units, end - 2, 'identified');
  return identified === nowhere ? identifiedWith(units, end - 2) : identified;
}

/** Where a word begins that blanks part from a place. */
function wordBefore(units: Units, end: number, word: string): number {
  const start = blanksFrom(units, end, 4);
  return start < end && isAtInAnyCase(units, start - word.length, word) ? start - word.length : nowhere;
}

/** `identified with plugin by`. */
function identifiedWith(units: Units, end: number): number {
  const pluginEnd = blanksFrom(units, end, 4);
  let plugin = pluginEnd;
  while (plugin > pluginEnd - 40 && isWordUnit(units.at(plugin - 1))) plugin -= 1;
  if (pluginEnd === end || plugin === pluginEnd) return nowhere;
  const word = wordBefore(units, plugin, 'with');
  return word === nowhere ? nowhere : wordBefore(units, word, 'identified');
}

function passwordEnd(units: Units, start: number): number {
  const until = Math.min(start + passwordAtMost, units.length);
  let end = start;
  while (end < until && units.at(end) !== singleQuote && units.at(end) !== lineFeed) end += 1;
  return end;
}
