import { credentialNameEscaped, credentialNameIn } from '../credential-keys.js';
import { EscapedUnits } from '../escaped-units.js';
import type { Marks } from '../json-marks.js';
import { backslashesAt, depthOf, quotedMarker } from '../json-strings.js';
import { marker, spanOf, type FoundSpan } from '../span.js';
import type { Units } from '../units.js';
import type { Rule } from '../view.js';
import { isBlank } from './blanks.js';

/**
 * Values under credential-shaped keys of JSON, at any depth, whole or cut off, and of JSON within a string of JSON, as
 * often as that may be: a key's quotation marks tell how deep it is, and its value ends at the first mark as deep.
 */
export const jsonValues: Rule = {
  name: 'json-values',
  find: (view): readonly FoundSpan[] => new Reader(view.sourceUnits, view.marks()).found(),
};

class Reader {
  readonly #escaped: EscapedUnits;

  constructor(
    private readonly units: Units,
    private readonly marks: Marks,
  ) {
    this.#escaped = new EscapedUnits(units);
  }

  found(): readonly FoundSpan[] {
    const { marks } = this;
    const found: FoundSpan[] = [];
    let backslashes = marks.backslashesOf(0);
    for (let mark = 0; mark < marks.length - 1;) {
      const start = this.#valueUnder(mark, backslashes);
      if (start === -1) {
        // The mark that seemed to close a key may open one.
        mark += 1;
        backslashes = marks.backslashesOf(mark);
      } else {
        const span = this.#valueAt(start, marks.firstFrom(mark + 2, start), backslashes);
        if (span !== null) found.push(span);
        const from = span?.end ?? start;
        mark = marks.firstFrom(mark + 2, from);
        backslashes = this.#backslashesFrom(mark, from);
      }
    }
    return found;
  }

  /** The backslashes before a mark, -1 where they begin before a place that the text is read from. */
  #backslashesFrom(mark: number, from: number): number {
    const backslashes = this.marks.backslashesOf(mark);
    return backslashes > this.marks.placeOf(mark) - from ? -1 : backslashes;
  }

  /** Where the value begins under the key that a mark opens and the next one closes, -1 where that is none of a credential. */
  #valueUnder(mark: number, backslashes: number): number {
    const { marks, units } = this;
    if (marks.backslashesOf(mark + 1) !== backslashes) return -1;
    const close = marks.placeOf(mark + 1);
    const behind = units.at(close + 1);
    if (behind > blank && behind !== colon && behind !== backslash && behind < 0xa0) return -1;
    const from = marks.placeOf(mark) + 1;
    const to = close - backslashes;
    const start = to > from ? startOfValue(units, close + 1) : -1;
    return start !== -1 && isCredential(this.#escaped, from, to) ? start : -1;
  }

  /**
   * The value that begins at a place, with what replaces it, under a key whose marks have so many backslashes before them;
   * null is left, as it says nothing. The first mark behind the place is given.
   */
  #valueAt(start: number, firstMark: number, backslashes: number): FoundSpan | null {
    const { units, marks } = this;
    const depth = depthOf(backslashes);
    const first = units.at(start);
    if (first === quotationMark || first === backslash) {
      const opening = marks.firstFrom(firstMark, start + backslashes);
      const place = start + backslashes;
      if (marks.placeOf(opening) !== place || this.#backslashesFrom(opening, start) !== backslashes)
        return null;
      const end = marks.textEnd(marks.closing(opening, depth), depth);
      return end === place + 1 ? null : spanOf(place + 1, end);
    }
    if (first === openBracket && units.text.startsWith(marker, start)) return null;
    const isStructure = first === openBrace || first === openBracket;
    const end = isStructure ? this.#endOfStructure(start, firstMark, depth) : endOfLiteral(units, start);
    if (end === start || saysNothing(units.text, start, end)) return null;
    return { start, end, replacement: quotedMarker(backslashes) };
  }

  /** Behind the bracket that closes the one at `from`, strings passed over, or the end of the text. */
  #endOfStructure(from: number, firstMark: number, depth: number): number {
    const { units, marks } = this;
    let open = 0;
    let read = from;
    let mark = firstMark;
    for (let at = from; at < units.length; at += 1) {
      const unit = units.at(at);
      if (unit === openBrace || unit === openBracket) open += 1;
      else if (unit === closeBrace || unit === closeBracket) {
        open -= 1;
        if (open === 0) return at + 1;
      } else if (unit === quotationMark) {
        mark = marks.firstFrom(mark, at);
        const backslashes = this.#backslashesFrom(mark, read);
        if (backslashes === -1) continue;
        if (depthOf(backslashes) < depth) return at - backslashes; // the string around it ends
        mark = marks.closing(mark, depth);
        read = marks.textEnd(mark, depth) + backslashesAt(depth) + 1;
        at = read - 1;
      }
    }
    return units.length;
  }
}

/** Where the value begins of a key that ends at a place, -1 where no colon is behind it. */
function startOfValue(units: Units, from: number): number {
  const at = behindBlanks(units, from);
  return units.at(at) === colon ? behindBlanks(units, at + 1) : -1;
}

/** Blanks may be escaped, where the JSON is. */
function behindBlanks(units: Units, from: number): number {
  for (let at = from; ; at += 1) {
    const unit = units.at(at);
    if (isBlank(unit)) continue;
    if (unit !== backslash) return at;
    let letter = at + 1;
    while (units.at(letter) === backslash) letter += 1;
    if (!isLetterOfBlank(units.at(letter))) return at;
    at = letter;
  }
}

const [blank, quotationMark, comma, colon, backslash, lineBreak] = [32, 34, 44, 58, 92, 10];
const [openBracket, closeBracket, openBrace, closeBrace] = [91, 93, 123, 125];

const isLetterOfBlank = (unit: number): boolean => unit === 110 || unit === 114 || unit === 116;

const nameAtMost = 160;

/** A name is of one line, and may hold escapes of blanks and letters: such an escape is one sign, however deep it is. */
function isCredential(escaped: EscapedUnits, from: number, to: number): boolean {
  const { units } = escaped;
  let signs = 0;
  let isEscaped = false;
  for (let at = from; at < to; at += 1) {
    const unit = units.at(at);
    if (unit === lineBreak) return false;
    if (unit === backslash) {
      isEscaped = true;
      if (units.at(at + 1) === backslash) continue;
    }
    signs += 1;
    if (signs > nameAtMost) return false;
  }
  const says = isEscaped ? credentialNameEscaped(escaped, from, to) : credentialNameIn(units, from, to);
  return says === 'strong';
}

const saysNothing = (source: string, start: number, end: number): boolean =>
  (end - start === 4 && source.startsWith('null', start)) ||
  (end - start === 9 && source.startsWith('undefined', start));

function endOfLiteral(units: Units, from: number): number {
  let at = from;
  while (at < units.length && !endsLiteral(units.at(at))) at += 1;
  return at;
}

const endsLiteral = (unit: number): boolean =>
  unit === comma ||
  unit === closeBrace ||
  unit === closeBracket ||
  unit === quotationMark ||
  unit === backslash ||
  isBlank(unit);
