import { isLetter } from '../letter-trie.js';
import { looksRandomIn } from '../randomness.js';
import type { FoundSpan } from '../span.js';
import type { Units } from '../units.js';
import { inSource, type View } from '../view.js';
import { isGap } from './blanks.js';
import { Endings } from './endings.js';
import { skip } from './reading.js';
import { Alphabet } from './runs.js';

const names = new Endings(
  [
    ...[
      'bearer',
      'basic',
      'apikey',
      'token',
      'digest',
      'negotiate',
      'splunk',
      'ssws',
      'geniekey',
      'genie-key',
    ],
    ...['api', 'access', 'secret', 'auth'].flatMap((kind) =>
      ['', ' ', '_', '-'].flatMap((sign) => [`${kind}${sign}key`, `${kind}${sign}token`]),
    ),
  ],
  true,
);
const ofSecrets = Alphabet.of('[A-Za-z0-9_~+/.:=|-]');
const secretAtLeast = 6;
const [plus, equals] = [43, 61];

/**
 * A scheme of HTTP authentication (RFC 7235) with its credentials, wherever it stands, a form's `+` for its blank; prose
 * that names a key reads alike. Read from the blank.
 */
export function schemes(view: View): FoundSpan[] {
  const { units } = view;
  const spans: FoundSpan[] = [];
  let taken = 0;
  for (let at = 0; at < units.length; at += 1) {
    if (!parts(units.at(at)) || !isLetter(units.at(at - 1))) continue;
    const name = names.startOfWord(units, at);
    if (name < taken) continue;
    let start = at + 1;
    while (start < at + 4 && parts(units.at(start))) start += 1;
    const end = skip(units, ofSecrets, start, units.length);
    while (end < start + secretAtLeast && start > at + 1 && units.at(start - 1) === plus) start -= 1;
    if (end < start + secretAtLeast) continue;
    const isOpen = looksLikeCredential(units, start, end);
    taken = isOpen ? Math.min(end, view.stringEnd(start)) : end;
    if (isOpen) spans.push(inSource(view, start, taken));
    at = Math.max(taken, at + 1) - 1;
  }
  return spans;
}

/** A plus may as well begin the secret. */
const parts = (code: number): boolean => isGap(code) || code === plus;

/** Words follow `basic` and `token` in prose; credentials have digits, or base64's padding, or mix their cases. */
function looksLikeCredential(units: Units, from: number, to: number): boolean {
  if (units.at(to - 1) === equals) return true;
  const found = lettersIn(units, from, to);
  if ((found & (otherThanLetters | innerCapital)) === 0) return to - from >= 32;
  if (looksRandomIn(units, from, to, 8)) return true;
  return to - from >= 12 && (found & (innerCapital | severalCapitals)) !== 0;
}

const [otherThanLetters, innerCapital, severalCapitals] = [1, 2, 4];

/** Whether there is anything else than letters, a capital behind a small letter, and two capitals before one. */
function lettersIn(units: Units, from: number, to: number): number {
  let found = 0;
  for (let at = from; at < to; at += 1) {
    const code = units.at(at);
    if (!isLetter(code)) found |= otherThanLetters;
    else if (at > from && isCapital(code) && isSmall(units.at(at - 1))) found |= innerCapital;
    else if (at > from + 1 && isSmall(code) && isCapital(units.at(at - 1)) && isCapital(units.at(at - 2)))
      found |= severalCapitals;
  }
  return found;
}

const isSmall = (code: number): boolean => code >= 97 && code <= 122;
const isCapital = (code: number): boolean => code >= 65 && code <= 90;
