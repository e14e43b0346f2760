import { endOfLiteral, looksLikeJson } from './json-beginnings.js';
import { JsonCheck } from './json-check.js';
import type { Marks } from './json-marks.js';
import { backslashesAt, depthOf } from './json-strings.js';
import { Tokens } from './json-tokens.js';
import type { Units } from './units.js';

/** Whether JSON has lost its end. */
export const isCutOff = (units: Units): boolean =>
  looksLikeJson(units, 0, units.length) && !/[}\]]["\s]*$/.test(units.text.slice(-64));

/**
 * The strings and values of JSON, in order. A string that is JSON itself gives its own instead, as deep as that may be.
 * Of JSON that was cut off the last string goes on to the end. A text that is no JSON has none.
 */
export function tokensOf(units: Units, marks: Marks): Tokens {
  const reader = new Reader(units, marks);
  const depth = depthOf(marks.backslashesOf(0));
  const isString = /^\s*\\*"/.test(units.text.slice(0, 64)) && reader.check.isValue(0, units.length, depth);
  if (isString || looksLikeJson(units, 0, units.length)) reader.read(0, 0, units.length, depth);
  return reader.tokens;
}

class Reader {
  readonly tokens = new Tokens();
  readonly check: JsonCheck;

  constructor(
    private readonly units: Units,
    private readonly marks: Marks,
  ) {
    this.check = new JsonCheck(units);
  }

  /** Reads from a place on, and from the first mark behind it. */
  read(firstMark: number, start: number, end: number, depth: number): void {
    const { marks } = this;
    let opening = firstMark;
    for (let at = start; at < end;) {
      opening = marks.firstFrom(opening, at);
      const place = marks.placeOf(opening);
      if (at < place) this.#readLiterals(at, Math.min(place, end), depth);
      if (place >= end) return;
      const closing = marks.closing(opening, depth);
      const stringEnd = marks.textEnd(closing, depth);
      if (this.#holdsJson(place + 1, stringEnd, depth + 1))
        this.read(opening + 1, place + 1, stringEnd, depth + 1);
      else this.tokens.add(place + 1, stringEnd, true, depth);
      at = stringEnd + backslashesAt(depth) + 1;
      opening = closing;
    }
  }

  /** No mark stands there. */
  #readLiterals(from: number, end: number, depth: number): void {
    const { units } = this;
    for (let at = from; at < end; at += 1) {
      const unit = units.at(at);
      if (!mayBeginLiteral(unit)) continue;
      const literalEnd = Math.min(end, endOfLiteral(units, at, unit));
      if (literalEnd === at) continue;
      this.tokens.add(at, literalEnd, false, depth);
      at = literalEnd - 1;
    }
  }

  /** Most strings show by their ends that they are none. */
  #holdsJson(start: number, end: number, depth: number): boolean {
    const { units } = this;
    return (
      end - start >= 2 &&
      mayBegin(units.at(start)) &&
      mayEnd(units.at(end - 1)) &&
      this.check.isValue(start, end, depth) &&
      looksLikeJson(units, start, end)
    );
  }
}

const unitsOf = (signs: string): Uint8Array =>
  Uint8Array.from({ length: 128 }, (_, unit) => Number(signs.includes(String.fromCharCode(unit))));
const beginnings = unitsOf('{[\\" ');
/** Blanks may be escaped. */
const endings = unitsOf('}]" nrt');
const literals = unitsOf('-0123456789tfn');
const mayBegin = (unit: number): boolean => beginnings[unit] === 1;
const mayEnd = (unit: number): boolean => endings[unit] === 1;
const mayBeginLiteral = (unit: number): boolean => literals[unit] === 1;
