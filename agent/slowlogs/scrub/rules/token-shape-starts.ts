import { isDigit, isOfWord } from '../letter-trie.js';
import type { Units } from '../units.js';
import { behindBlanks, isBlank } from './blanks.js';
import { skip } from './reading.js';
import { Alphabet } from './runs.js';
import { behindOneOf, isAt } from './words-at.js';

export const nowhere = -1;
const dollar = 36;

export const ofNames = Alphabet.of('[A-Za-z0-9_-]');
export const isOfName = (code: number): boolean => ofNames.has(code);

/** Where a run begins that ends at a place, -1 where it has another length. */
export function runStart(
  units: Units,
  end: number,
  least: number,
  most: number,
  isOf: (code: number) => boolean,
): number {
  let start = end;
  while (start >= end - most && isOf(units.at(start - 1))) start -= 1;
  return start <= end - least && start >= end - most ? start : nowhere;
}

/** A place that no letter or digit stands before. */
export const behindWord = (units: Units, start: number): number =>
  isOfWord(units.at(start - 1)) ? nowhere : start;

/** The number of a bot, before which its kind may stand. */
export function botStart(units: Units, end: number): number {
  const number = runStart(units, end, 5, 16, isDigit);
  return number === nowhere
    ? nowhere
    : behindWord(units, isAt(units, number - 3, 'bot') ? number - 3 : number);
}

export const ofWords = Alphabet.of('[A-Za-z0-9]');
const ofHashes = Alphabet.of('[./A-Za-z0-9]');
const ofParameters = Alphabet.of('[A-Za-z0-9$=,./+-]');

/** Whether an algorithm stands behind a dollar, and what it needs behind another, or behind two. */
export function mayBeginHash(units: Units, at: number): boolean {
  const second = skip(units, ofNames, at + 1, 27);
  if (units.at(second) !== dollar || (second === at + 2 && !ofShortNames.has(units.at(at + 1)))) return false;
  if (ofLongNames.has(units.at(at + 1)) && behindOneOf(units, at + 1, longNames) !== nowhere)
    return goesOn(units, second + 1, ofParameters, 20);
  let third = second + 1;
  while (third <= second + 100 && units.at(third) !== dollar) third += 1;
  return units.at(third) === dollar && goesOn(units, third + 1, ofHashes, 16);
}
const longNames = ['argon2', 'scrypt', 'pbkdf2'];
const ofShortNames = Alphabet.of('[1567y]');
const ofLongNames = Alphabet.of('[asp]');

/** A hash of Django's or Werkzeug's, behind the dollar that its algorithm ends with. */
export function longHashStart(units: Units, at: number): number {
  const end = skip(units, ofAlgorithms, at, 30);
  return units.at(end) === dollar && goesOn(units, end + 1, ofLongHashes, 20) ? at : nowhere;
}
const ofAlgorithms = Alphabet.of('[\\w:]');
const ofLongHashes = Alphabet.of('[A-Za-z0-9$./+=]');

export function goesOn(units: Units, from: number, alphabet: Alphabet, length: number): boolean {
  for (let at = from; at < from + length; at += 1) if (!alphabet.has(units.at(at))) return false;
  return true;
}

/** Where the name stands that a password follows. */
export function userStart(units: Units, end: number): number {
  const start = behindBlanks(units, end, 4);
  if (start === end) return nowhere;
  let user = start;
  while (user <= start + 100 && user < units.length && !isBlank(units.at(user))) user += 1;
  return isAt(units, behindBlanks(units, user, 4), 'password') ? start : nowhere;
}
