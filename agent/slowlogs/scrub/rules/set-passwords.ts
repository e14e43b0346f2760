import type { FoundSpan } from '../span.js';
import type { Units } from '../units.js';
import { inSource, type View } from '../view.js';
import { behindBlanks, blanksFrom, isBlank } from './blanks.js';
import { isQuote } from './quotation-marks.js';
import { endBefore } from './reading.js';
import { Alphabet } from './runs.js';
import { isAtInAnyCase, isWordUnit } from './words-at.js';

const nowhere = -1;
const [lineFeed, doubleQuote, singleQuote, semicolon, equals] = [10, 34, 39, 59, 61];
/** The last letters of the words, and a sign, that a password stands behind. */
const beforeBlanks = Alphabet.of('[dDsSyY=]');
const [passwordAtMost, userAtMost] = [200, 80];

/** SQL that sets a password: `IDENTIFIED BY '…'`, `SET PASSWORD = '…'`, `PASSWORD '…'`. Read from where the value begins. */
export function setPasswords(view: View): FoundSpan[] {
  const { units } = view;
  const spans: FoundSpan[] = [];
  let taken = 0;
  for (let at = 0; at < units.length; at += 1) {
    if (!isBlank(units.at(at)) || !beforeBlanks.has(units.at(at - 1))) continue;
    const value = behindBlanks(units, at, 4);
    const first = units.at(value);
    const clause = clauseStart(units, at, first);
    if (clause === nowhere || clause < taken) continue;
    const isQuoted = isQuote(first);
    const start = isQuoted ? value + 1 : value;
    const found = isQuoted
      ? endBefore(units, start, start + passwordAtMost, first, lineFeed)
      : wordEnd(units, start);
    if (found === start) continue;
    taken = Math.min(found, view.stringEnd(start));
    spans.push(inSource(view, start, taken));
    at = Math.max(taken, start) - 1;
  }
  return spans;
}

/**
 * Where the words begin that end at a place, -1 where they are others. Prose says of much that it is identified by
 * something: a word without marks, or one in those of prose, is a password only behind a user of SQL.
 */
function clauseStart(units: Units, end: number, first: number): number {
  if (first === singleQuote) return quotedClauseStart(units, end);
  const identified = isAtInAnyCase(units, end - 2, 'by') ? wordBefore(units, end - 2, 'identified') : nowhere;
  if (identified === nowhere) return nowhere;
  if (first !== doubleQuote && (!isWordUnit(first) || isKeyword(units, end))) return nowhere;
  return behindUser(units, identified, first === doubleQuote) ? identified : nowhere;
}

function quotedClauseStart(units: Units, end: number): number {
  if (isAtInAnyCase(units, end - 8, 'password')) return end - 8;
  if (units.at(end - 1) === equals) {
    const password = wordBefore(units, end - 1, 'password');
    return password === nowhere ? nowhere : wordBefore(units, password, 'set');
  }
  const by = isAtInAnyCase(units, end - 6, 'values') ? wordBefore(units, end - 6, 'by') : end - 2;
  if (!isAtInAnyCase(units, by, 'by')) return nowhere;
  const identified = wordBefore(units, by, 'identified');
  return identified === nowhere ? identifiedWith(units, by) : identified;
}

/** What may stand for a password: the next word says how it is written. */
const keywords = ['password', 'values', 'random'];
function isKeyword(units: Units, end: number): boolean {
  const start = behindBlanks(units, end, 4);
  return keywords.some((word) => isAtInAnyCase(units, start, word) && isBlank(units.at(start + word.length)));
}

/** Whether SQL names a user before a place: `CREATE USER bob`, and `TO bob` where marks say that it is SQL. */
function behindUser(units: Units, end: number, isQuoted: boolean): boolean {
  const userEnd = blanksFrom(units, end, 4);
  let user = userEnd;
  while (userEnd - user < userAtMost && user > 0 && !isBlank(units.at(user - 1))) user -= 1;
  if (isQuoted && wordBefore(units, user, 'to') !== nowhere) return true;
  const kind = wordBefore(units, user, 'user');
  return kind !== nowhere && commands.some((command) => wordBefore(units, kind, command) !== nowhere);
}
const commands = ['create', 'alter'];

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

function wordEnd(units: Units, start: number): number {
  const until = Math.min(start + passwordAtMost, units.length);
  let end = start;
  while (end < until && !isBlank(units.at(end)) && !endsWord(units.at(end))) end += 1;
  return end;
}
const endsWord = (code: number): boolean => code === semicolon || isQuote(code);
