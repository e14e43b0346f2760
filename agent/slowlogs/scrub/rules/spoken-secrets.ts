import { isDigit, isLetter } from '../letter-trie.js';
import type { FoundSpan } from '../span.js';
import type { Units } from '../units.js';
import { inSource, type View } from '../view.js';
import { behindGaps, isBlank, isGap } from './blanks.js';
import { Endings } from './endings.js';
import { Alphabet } from './runs.js';
import { isAtInAnyCase } from './words-at.js';

const nowhere = -1;
const names = new Endings(
  [
    ...['password', 'passwords', 'passphrase', 'passcode', 'pwd', 'secret', 'token'],
    ...['api', 'access', 'secret'].flatMap((kind) => ['', ' ', '_', '-'].map((sign) => `${kind}${sign}key`)),
  ],
  true,
);
const verbs = ['is', 'was', 'are', 'were'];
const ofSecrets = Alphabet.of('[^"\'`,;<>]');
const [smallLetter, smallA, smallI, smallW] = [32, 97, 105, 119];
const [secretAtLeast, secretAtMost] = [5, 200];

/** `the password is …`: what follows is taken where it can be no word of the sentence. */
export function spokenSecrets(view: View): FoundSpan[] {
  const { units } = view;
  const spans: FoundSpan[] = [];
  let taken = 0;
  for (let at = 0; at < units.length; at += 1) {
    if (!isGap(units.at(at)) || !isLetter(units.at(at - 1))) continue;
    const verb = verbEnd(units, behindGaps(units, at, 4));
    if (verb === nowhere) continue;
    const name = names.startOf(units, at);
    if (name < taken || isLetter(units.at(name - 1))) continue;
    const start = behindTurn(units, behindGaps(units, verb, 4));
    const found = secretEnd(units, start);
    if (found < start + secretAtLeast) continue;
    const isOpen = isNoWord(units, start, found);
    taken = isOpen ? Math.min(found, view.stringEnd(start)) : found;
    if (isOpen) spans.push(inSource(view, start, taken));
    at = Math.max(taken, at + 1) - 1;
  }
  return spans;
}

function verbEnd(units: Units, at: number): number {
  const first = units.at(at) | smallLetter;
  if (first !== smallI && first !== smallW && first !== smallA) return nowhere;
  for (let place = 0; place < verbs.length; place += 1) {
    const verb = verbs[place] ?? '';
    const end = at + verb.length;
    if (isAtInAnyCase(units, at, verb) && isGap(units.at(end))) return end;
  }
  return nowhere;
}

/** Behind `now` or `set to`. */
function behindTurn(units: Units, at: number): number {
  if (isAtInAnyCase(units, at, 'now')) return behindGap(units, at + 3, at);
  if (!isAtInAnyCase(units, at, 'set')) return at;
  const word = behindGap(units, at + 3, at);
  return word > at && isAtInAnyCase(units, word, 'to') ? behindGap(units, word + 2, at) : at;
}

/** Behind the blanks at a place, another place where there are none. */
const behindGap = (units: Units, from: number, otherwise: number): number =>
  isGap(units.at(from)) ? behindGaps(units, from, 4) : otherwise;

function secretEnd(units: Units, start: number): number {
  const until = Math.min(start + secretAtMost, units.length);
  let end = start;
  while (end < until && ofSecrets.has(units.at(end)) && !isBlank(units.at(end))) end += 1;
  return end;
}

const signs = Alphabet.of('[!@#$%^&*~]');
const isSmall = (code: number): boolean => code >= 97 && code <= 122;

/** With letters and digits, with a sign, or with a capital behind a small letter. */
function isNoWord(units: Units, from: number, to: number): boolean {
  let [hasLetter, hasDigit] = [false, false];
  for (let at = from; at < to; at += 1) {
    const code = units.at(at);
    if (isLetter(code)) hasLetter = true;
    else if (isDigit(code)) hasDigit = true;
    else if (signs.has(code)) return true;
    if (hasLetter && hasDigit) return true;
    if (at > from && code >= 65 && code <= 90 && isSmall(units.at(at - 1))) return true;
  }
  return false;
}
