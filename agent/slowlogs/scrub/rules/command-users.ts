import type { FoundSpan } from '../span.js';
import type { Units } from '../units.js';
import { inSource, type View } from '../view.js';
import { behindGaps, isBlank } from './blanks.js';
import { Alphabet } from './runs.js';
import { behindOneOf } from './words-at.js';
import { isQuote } from './quotation-marks.js';

const longOptions = ['-user', '-proxy-user'];

/** User and password of `curl -u`, `wget --user` and their like, but for variables of a shell. */
export function commandUsers(view: View): FoundSpan[] {
  const { units } = view;
  const spans: FoundSpan[] = [];
  for (let at = units.text.indexOf('-'); at !== nowhere && at < units.length; at += 1) {
    if (units.at(at) !== hyphen || !isBlank(units.at(at - 1))) continue;
    const option = optionEnd(units, at);
    const start = option === nowhere ? nowhere : valueStart(units, option);
    const found = start === nowhere ? nowhere : userEnd(units, start);
    if (found === nowhere) continue;
    const isOpen = !isPlaceholder(units, start, found);
    const end = isOpen ? Math.min(found, view.stringEnd(start)) : found;
    if (isOpen) spans.push(inSource(view, start, end));
    at = Math.max(end, at + 1) - 1;
  }
  return spans;
}

const nowhere = -1;
const [dollar, percent, hyphen, colon, less, equals] = [36, 37, 45, 58, 60, 61];
const [capitalU, openingBracket, closingBracket, underscore, smallU, openingBrace] = [
  85, 91, 93, 95, 117, 123,
];
const partAtMost = 200;

function optionEnd(units: Units, at: number): number {
  const next = units.at(at + 1);
  if (next === hyphen) return behindOneOf(units, at + 1, longOptions);
  return next === smallU || next === capitalU ? at + 2 : nowhere;
}

function valueStart(units: Units, option: number): number {
  if (units.at(option) === equals) return option + 1;
  const start = behindGaps(units, option, 4);
  return start === option ? nowhere : start;
}

/** Where a user and a password end, each of which may stand in quotation marks; where a mark follows the colon that may be all. */
function userEnd(units: Units, start: number): number {
  const user = isQuote(units.at(start)) ? start + 1 : start;
  let end = user;
  while (end < user + partAtMost && units.at(end) !== colon && isOfPart(units, end)) end += 1;
  const sign = isQuote(units.at(end)) ? end + 1 : end;
  if (units.at(sign) !== colon) return nowhere;
  const password = isQuote(units.at(sign + 1)) ? sign + 2 : sign + 1;
  let passwordEnd = password;
  while (passwordEnd < password + partAtMost && isOfPart(units, passwordEnd)) passwordEnd += 1;
  if (passwordEnd > password) return passwordEnd;
  return sign === end && password > sign + 1 ? sign + 1 : nowhere;
}

const ofParts = Alphabet.of('[^\\s"\']');
function isOfPart(units: Units, at: number): boolean {
  const code = units.at(at);
  return code < 128 ? ofParts.has(code) && (code !== 0 || at < units.length) : !isBlank(code);
}

/** Whether a template stands for the user or the password, as documentation and scripts have them. */
function isPlaceholder(units: Units, from: number, to: number): boolean {
  if (beginsTemplate(units, from, to, false)) return true;
  for (let at = from; at < to; at += 1)
    if (units.at(at) === colon && beginsTemplate(units, at + 1, to, true)) return true;
  return false;
}

function beginsTemplate(units: Units, from: number, to: number, isPassword: boolean): boolean {
  const at = from < to && isQuote(units.at(from)) ? from + 1 : from;
  if (at >= to) return false;
  const code = units.at(at);
  if (code === dollar || code === less) return true;
  if (code === openingBrace) return at + 1 < to && units.at(at + 1) === openingBrace;
  return isPassword && (code === percent || (code === openingBracket && isName(units, at + 1, to)));
}

/** Whether a name in capitals ends in a bracket. */
function isName(units: Units, from: number, to: number): boolean {
  let end = from;
  while (end < to && isOfName(units.at(end))) end += 1;
  return end > from && end < to && units.at(end) === closingBracket;
}

const isOfName = (code: number): boolean => (code >= 65 && code <= 90) || code === underscore;
