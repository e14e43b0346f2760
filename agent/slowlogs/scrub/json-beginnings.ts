import { isDigit } from './letter-trie.js';
import { isBlank } from './rules/blanks.js';
import { isAt } from './rules/words-at.js';
import type { Units } from './units.js';

const [quotationMark, plus, comma, hyphen, dot] = [34, 43, 44, 45, 46];
const [openBracket, backslash, closeBracket, openBrace] = [91, 92, 93, 123];
const [letterE, letterF, letterN, letterT] = [101, 102, 110, 116];

/** No more of a text is looked at. */
const beginningAtMost = 64;
const digitsAtMost = 41;

/**
 * Whether a stretch of a text begins as JSON does, whole or cut off, however often it was escaped: as an object or a list.
 * A log's line may begin with a bracket as well, `[INFO]` or `[redacted]`.
 */
export function looksLikeJson(units: Units, from: number, to: number): boolean {
  const end = Math.min(to, from + beginningAtMost);
  let at = from;
  while (at < end && (isOfMark(units.at(at)) || isBlank(units.at(at)))) at += 1;
  if (at === end) return false;
  const first = units.at(at);
  return first === openBrace || (first === openBracket && beginsAsList(units, at + 1, end));
}

const isOfMark = (unit: number): boolean => unit === quotationMark || unit === backslash;

/** Behind its bracket. Blanks may be escaped, and so may marks. */
function beginsAsList(units: Units, from: number, end: number): boolean {
  const at = behindBlanks(units, from, end);
  if (at === end) return true;
  const unit = units.at(at);
  if (unit === openBrace || unit === openBracket || unit === closeBracket || isOfMark(unit)) return true;
  const scalarEnd = endOfScalar(units, at, end);
  return scalarEnd !== at && endsAsItem(units, behindBlanks(units, scalarEnd, end), end);
}

function endsAsItem(units: Units, at: number, end: number): boolean {
  if (at === end) return true;
  const unit = units.at(at);
  if (unit === comma || unit === backslash) return true;
  return unit === closeBracket && behindBlanks(units, at + 1, end) === end;
}

function behindBlanks(units: Units, from: number, end: number): number {
  let at = from;
  while (at < end && isBlank(units.at(at))) at += 1;
  return at;
}

/** The place itself where none begins that a number's first digit, or a whole word, shows. */
function endOfScalar(units: Units, start: number, end: number): number {
  const first = units.at(start);
  const literalEnd = endOfLiteral(units, start, first);
  if (first === letterT || first === letterF || first === letterN)
    return literalEnd > end ? start : literalEnd;
  const digits = first === hyphen ? start + 1 : start;
  return digits < end ? Math.min(literalEnd, end, digits + digitsAtMost) : start;
}

/** Where a number or a word of JSON ends, or what was cut off behind its first digit; the place itself where none begins. */
export function endOfLiteral(units: Units, start: number, first: number): number {
  if (first === letterT) return isAt(units, start, 'true') ? start + 4 : start;
  if (first === letterF) return isAt(units, start, 'false') ? start + 5 : start;
  if (first === letterN) return isAt(units, start, 'null') ? start + 4 : start; // or of an escaped line break
  let end = first === hyphen ? start + 1 : start;
  if (!isDigit(units.at(end))) return start;
  while (isOfNumber(units.at(end))) end += 1;
  return end;
}

const isOfNumber = (unit: number): boolean =>
  isDigit(unit) || unit === hyphen || unit === dot || unit === plus || (unit | 32) === letterE;
