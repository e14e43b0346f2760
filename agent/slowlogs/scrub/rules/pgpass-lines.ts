import { isDigit, isLetter } from '../letter-trie.js';
import type { FoundSpan } from '../span.js';
import type { Units } from '../units.js';
import { inSource, type View } from '../view.js';
import { isBlank } from './blanks.js';
import { isMark } from './quotation-marks.js';
import { isAt, isWordUnit } from './words-at.js';

/** Lines of `.pgpass`: host, port, database, user, password; the last three go. Read by hand, from the port's colon. */
export function pgpassLines(view: View): FoundSpan[] {
  const { units } = view;
  const spans: FoundSpan[] = [];
  for (let at = units.text.indexOf(':'); at !== nowhere && at < units.length; at += 1) {
    if (units.at(at) !== colon) continue;
    const port = portStart(units, at);
    const password = port === nowhere ? nowhere : passwordStart(units, at + 1);
    if (password === nowhere || !isHost(units, port - 1)) continue;
    const end = passwordEnd(units, password);
    if (end === nowhere) continue;
    const isOpen = isPostgres(units, port, at) || !isPlainWord(units, password, end);
    const until = isOpen ? Math.min(end, view.stringEnd(at + 1)) : end;
    if (isOpen) spans.push(inSource(view, at + 1, until));
    at = Math.max(until, at + 2) - 1;
  }
  return spans;
}

const nowhere = -1;
const [lineFeed, doubleQuote, singleQuote, asterisk, hyphen, dot, colon, atSign] = [
  10, 34, 39, 42, 45, 46, 58, 64,
];
const [hostAtMost, nameAtMost, passwordAtLeast, passwordAtMost] = [101, 60, 4, 200];

/** Where a port of two digits to five begins, or an asterisk, behind a colon; -1 where none does. */
function portStart(units: Units, end: number): number {
  let at = end;
  if (units.at(at - 1) === asterisk) at -= 1;
  else while (at > end - 5 && isDigit(units.at(at - 1))) at -= 1;
  const isPort = at < end - 1 || units.at(at) === asterisk;
  return isPort && units.at(at - 1) === colon ? at : nowhere;
}

/** Whether a host ends at a place that begins a line or follows a blank or a mark: a name, an asterisk or an address. */
function isHost(units: Units, end: number): boolean {
  let from = end;
  if (units.at(end - 1) === asterisk) from -= 1;
  else while (from >= end - hostAtMost && isOfHost(units.at(from - 1))) from -= 1;
  if (from === end || end - from > hostAtMost) return false;
  const before = units.at(from - 1);
  if (from > 0 && before !== lineFeed && !isMark(before) && !isBlank(before)) return false;
  return isLetter(units.at(from)) || units.at(from) === asterisk || isAddress(units, from, end);
}

const isOfHost = (code: number): boolean => isWordUnit(code) || code === dot || code === hyphen;

function isAddress(units: Units, from: number, to: number): boolean {
  let [numbers, digits] = [0, 0];
  for (let at = from; at < to; at += 1) {
    digits += 1;
    if (isDigit(units.at(at)) ? digits > 3 : units.at(at) !== dot || digits === 1) return false;
    if (units.at(at) !== dot) continue;
    numbers += 1;
    digits = 0;
  }
  return numbers === 3 && digits > 0;
}

/** Behind a database and a user. */
function passwordStart(units: Units, start: number): number {
  const user = behindName(units, start, false);
  return user === nowhere ? nowhere : behindName(units, user, true);
}

function behindName(units: Units, start: number, isUser: boolean): number {
  let end = start;
  while (end < start + nameAtMost && isOfName(units.at(end), isUser)) end += 1;
  return end > start && units.at(end) === colon ? end + 1 : nowhere;
}

const isOfName = (code: number, isUser: boolean): boolean =>
  isWordUnit(code) || code === asterisk || code === hyphen || (isUser && (code === dot || code === atSign));

function passwordEnd(units: Units, start: number): number {
  let end = start;
  while (end <= start + passwordAtMost && end < units.length && isOfPassword(units.at(end))) end += 1;
  const isWhole = end < units.length ? units.at(end) !== colon : true;
  return isWhole && end >= start + passwordAtLeast && end <= start + passwordAtMost ? end : nowhere;
}

const isOfPassword = (code: number): boolean =>
  code !== colon && code !== doubleQuote && code !== singleQuote && !isBlank(code);

/** Behind the ports of other servers a plain word may be anything: `es1:9300:node:data:warm`. */
function isPostgres(units: Units, port: number, end: number): boolean {
  if (units.at(port) === asterisk) return true;
  return end - port === 4 && (isAt(units, port, '543') || isAt(units, port, '6432'));
}

function isPlainWord(units: Units, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) if (units.at(at) < 97 || units.at(at) > 122) return false;
  return true;
}
