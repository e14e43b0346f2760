import { isDigit, isLetter, isOfWord } from '../letter-trie.js';
import type { FoundSpan } from '../span.js';
import type { Units } from '../units.js';
import { inSource, type View } from '../view.js';
import { isBlank } from './blanks.js';
import { Alphabet } from './runs.js';

const nowhere = -1;
const [hash, plus, comma, hyphen, dot, slash, colon, question, atSign] = [35, 43, 44, 45, 46, 47, 58, 63, 64];
const [schemeAtMost, addressAtMost, portAtMost] = [41, 4_096, 5];

/**
 * Users with their passwords in addresses. An address goes on to the next blank or quotation mark: it may hold others, in
 * a query or a list of hosts. Each within another is read as far as the next, so that every letter is read twice at most.
 */
export function userInfos(view: View): FoundSpan[] {
  const { units } = view;
  const spans: FoundSpan[] = [];
  for (let at = units.text.indexOf('://'); at !== nowhere && at < units.length; at += 1) {
    if (!isSeparator(units, at) || !endsScheme(units, at)) continue;
    const end = addressEnd(units, at + 3);
    if (end === at + 3) continue;
    addUserInfo(view, at + 3, end, spans);
    addInner(view, at + 3, end, spans);
    at = Math.max(end - 3, at + 1) - 1;
  }
  return spans;
}

const isSeparator = (units: Units, at: number): boolean =>
  units.at(at) === colon && units.at(at + 1) === slash && units.at(at + 2) === slash;

function addInner(view: View, start: number, end: number, spans: FoundSpan[]): void {
  let from = nowhere;
  for (let at = start; at <= end - 3; at += 1) {
    if (!isSeparator(view.units, at)) continue;
    if (from !== nowhere) addUserInfo(view, from, at, spans);
    from = at + 3;
    at += 2;
  }
  if (from !== nowhere) addUserInfo(view, from, end, spans);
}

/** Whether a scheme ends at a place, a letter and what may follow it. Expressions leave the s of `https?` open. */
function endsScheme(units: Units, end: number): boolean {
  let at = units.at(end - 1) === question ? end - 2 : end - 1;
  const first = at - schemeAtMost;
  while (at > first && isOfScheme(units.at(at))) {
    if (isLetter(units.at(at))) return true;
    at -= 1;
  }
  return false;
}

const isOfScheme = (code: number): boolean =>
  isOfWord(code) || code === plus || code === dot || code === hyphen;

const ofAddresses = Alphabet.of('[^"\'`<>\\\\]');

function addressEnd(units: Units, start: number): number {
  const until = Math.min(start + addressAtMost, units.length);
  let end = start;
  while (end < until && ofAddresses.has(units.at(end)) && !isBlank(units.at(end))) end += 1;
  return end;
}

/**
 * `user:password@` of addresses of any scheme (RFC 3986, 3.2.1). A password that should have been escaped and was not may
 * hold `/`, `?`, `#` and `@`: it goes on to the last `@` of the text, unless a port stands where it would begin.
 */
function addUserInfo(view: View, from: number, to: number, spans: FoundSpan[]): void {
  const { units } = view;
  const hostEnd = endOfHost(units, from, to);
  const sign = firstColon(units, from, hostEnd);
  if (sign === nowhere) return;
  const isPort = beginsPort(units, sign + 1, to);
  const own = lastAtSign(units, from, hostEnd);
  const end = own === nowhere && !isPort ? lastAtSign(units, hostEnd, to) : own;
  if (end > sign) spans.push(inSource(view, from, end));
  const isCutOff = end === nowhere && hostEnd === units.length && sign + 1 < units.length;
  if (isCutOff && !isPort) spans.push(inSource(view, from, units.length));
}

function endOfHost(units: Units, from: number, to: number): number {
  let end = from;
  while (end < to && !endsHost(units.at(end))) end += 1;
  return end;
}

const endsHost = (code: number): boolean => code === slash || code === question || code === hash;

function firstColon(units: Units, from: number, to: number): number {
  for (let at = from; at < to; at += 1) if (units.at(at) === colon) return at;
  return nowhere;
}

function lastAtSign(units: Units, from: number, to: number): number {
  for (let at = to - 1; at >= from; at -= 1) if (units.at(at) === atSign) return at;
  return nowhere;
}

/** Whether a port stands at a place, and the host's end behind it. */
function beginsPort(units: Units, start: number, to: number): boolean {
  let end = start;
  while (end < to && end < start + portAtMost && isDigit(units.at(end))) end += 1;
  return end > start && (end === to || endsHost(units.at(end)) || units.at(end) === comma);
}
