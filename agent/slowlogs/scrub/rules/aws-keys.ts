import { isDigit } from '../letter-trie.js';
import { entropy, looksEncoded } from '../randomness.js';
import type { FoundSpan } from '../span.js';
import type { Units } from '../units.js';
import { inSource, type View } from '../view.js';
import { skip } from './reading.js';
import { Alphabet } from './runs.js';

/** Ids of keys, users, roles and sessions of Amazon Web Services: a prefix of four letters, then base 32. Small letters may stand before. */
const prefixes: ReadonlySet<string> = new Set(
  'AKIA ASIA ABIA ACCA AGPA AIDA AIPA ANPA ANVA APKA AROA ASCA'.split(' '),
);
const prefixLength = 4;
/** Before a letter or a digit. */
const olderPrefix = 'A3T';
export const awsIdAtLeast = 16;
const ofIds = Alphabet.of('[A-Z0-9]');

/** The ids at places where a run of capitals and digits begins. They are read by hand: a text may hold one in every word. */
export function awsIds(view: View, places: readonly number[]): FoundSpan[] {
  const { units } = view;
  const spans: FoundSpan[] = [];
  let next = 0;
  for (const start of places) {
    if (start < next || !hasPrefix(units, start)) continue;
    const end = skip(units, ofIds, start, units.length);
    if (end - start < awsIdAtLeast) continue;
    next = end;
    if (!isId(units, start, end)) continue;
    next = Math.min(end, view.stringEnd(start));
    if (next > start) spans.push(inSource(view, start, next));
  }
  return spans;
}

function hasPrefix(units: Units, at: number): boolean {
  return units.text.startsWith(olderPrefix, at) || prefixes.has(units.text.slice(at, at + prefixLength));
}

/** An id has a digit; that of an example may be one letter again and again. */
function isId(units: Units, from: number, to: number): boolean {
  const letter = units.at(from + prefixLength);
  let isSame = true;
  for (let at = from; at < to; at += 1) {
    const code = units.at(at);
    if (isDigit(code)) return true;
    isSame &&= at < from + prefixLength || code === letter;
  }
  return isSame;
}

const secretLength = 40;
const ofSecrets = Alphabet.of('[A-Za-z0-9+/]');
const equal = 61;
const leastEntropy = 4;

/** Secret keys have no form but their length; beside an id, a text of that length is one. */
export function awsSecrets(view: View): FoundSpan[] {
  const { units } = view;
  const spans: FoundSpan[] = [];
  for (let at = 0; at < units.length;) {
    const end = skip(units, ofSecrets, at, units.length);
    const isWhole = units.at(at - 1) !== equal && units.at(end) !== equal;
    if (end - at === secretLength && isWhole && isSecret(units.text.slice(at, end))) {
      const until = Math.min(end, view.stringEnd(at));
      spans.push(inSource(view, at, until));
    }
    at = end + 1;
  }
  return spans;
}

const isSecret = (text: string): boolean => looksEncoded(text) && entropy(text) > leastEntropy;
