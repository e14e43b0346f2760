import { isDigit, isLetter } from '../letter-trie.js';
import type { FoundSpan } from '../span.js';
import type { Units } from '../units.js';
import { inSource, type View } from '../view.js';
import { isBlank, isGap } from './blanks.js';
import { Alphabet } from './runs.js';
import { behindOneOf, isWordUnit } from './words-at.js';

/** Of FTP, POP, IMAP, SMTP and Redis. */
const commands = ['PASS', 'AUTH', 'LOGIN'];
const mechanisms = ['PLAIN', 'LOGIN', 'CRAM-MD5', 'XOAUTH2'];

/** Lines that log in: a command and, to the end of its line or string, a word or two. */
export function loginLines(view: View): FoundSpan[] {
  const { units } = view;
  const spans: FoundSpan[] = [];
  if (!/PASS |AUTH |LOGIN /.test(units.text)) return spans;
  for (let at = 0; at < units.length; at += 1) {
    const code = units.at(at);
    if (code !== capitalA && code !== capitalL && code !== capitalP) continue;
    const command = behindOneOf(units, at, commands);
    if (command === nowhere || !isGap(units.at(command)) || !beginsLine(units, at)) continue;
    const behindMechanism = code === capitalA ? mechanismEnd(units, command) : nowhere;
    const ofMechanism = behindMechanism === nowhere ? nowhere : wordsEnd(units, behindMechanism);
    const start = ofMechanism === nowhere ? command + 1 : behindMechanism;
    const found = ofMechanism === nowhere ? wordsEnd(units, start) : ofMechanism;
    if (found === nowhere) continue;
    const end = Math.min(found, view.stringEnd(start));
    spans.push(inSource(view, start, end));
    at = Math.max(end, at + 1) - 1;
  }
  return spans;
}

const nowhere = -1;
const [lineFeed, carriageReturn, space, doubleQuote, singleQuote] = [10, 13, 32, 34, 39];
const [greater, capitalA, capitalL, capitalP] = [62, 65, 76, 80];

/** Whether a line begins at a place, behind what a client shows before it, or behind the tag that IMAP gives a command. */
function beginsLine(units: Units, at: number): boolean {
  const before = units.at(at - 1);
  if (at === 0 || before === lineFeed || before === greater) return true;
  if (before !== space) return false;
  return units.at(at - 2) === greater || endsTag(units, at - 1);
}

/** One letter to three, then one digit to five. */
function endsTag(units: Units, end: number): boolean {
  let digits = end;
  while (digits > end - 5 && isDigit(units.at(digits - 1))) digits -= 1;
  let from = digits;
  while (from > digits - 3 && isLetter(units.at(from - 1))) from -= 1;
  return digits < end && from < digits && !isWordUnit(units.at(from - 1));
}

/** Where the words behind a mechanism begin, which may as well be a password; -1 where there is none. */
function mechanismEnd(units: Units, command: number): number {
  const end = units.at(command) === space ? behindOneOf(units, command + 1, mechanisms) : nowhere;
  return end !== nowhere && isGap(units.at(end)) ? end + 1 : nowhere;
}

function wordsEnd(units: Units, start: number): number {
  const first = wordEnd(units, start);
  if (first === nowhere) return nowhere;
  const end = isGap(units.at(first)) ? wordEnd(units, first + 1) : first;
  return end !== nowhere && endsLine(units, end) ? end : nowhere;
}

function wordEnd(units: Units, start: number): number {
  let end = start;
  while (end < start + 400 && end < units.length && isOfWords(units.at(end))) end += 1;
  return end < start + 4 ? nowhere : end;
}

const ofWords = Alphabet.of('[^"\',;:(){}]');
const isOfWords = (code: number): boolean => !isBlank(code) && ofWords.has(code);

function endsLine(units: Units, end: number): boolean {
  const code = units.at(end);
  if (end === units.length || code === lineFeed || code === doubleQuote || code === singleQuote) return true;
  return code === carriageReturn && units.at(end + 1) === lineFeed;
}
