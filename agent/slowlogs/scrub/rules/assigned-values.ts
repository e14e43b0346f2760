import { marker, spanOf, type Span } from '../span.js';
import type { Units } from '../units.js';
import type { View } from '../view.js';
import { BareWords } from './bare-words.js';
import { blockEnd } from './blocks.js';
import { bracketed, listed, parenthesised } from './bracketed-values.js';
import type { Operator } from './operator-forms.js';
import { doubtfulAtMost, openedBy, openingEnd, quotedValue, quotes } from './quoted-values.js';
import { skip, type NextMark } from './reading.js';
import { Alphabet, Runs } from './runs.js';
import { bounds, choices, concatenations, expressionEnd, isChoosing, type Link } from './value-links.js';

/** What a name says of how much is its value. */
export interface Extent {
  /** The rest of its line. */
  readonly wholeLine: boolean;
  /** Lists and objects as well. */
  readonly structures: boolean;
}

/** What may open a value that goes on behind the run of characters that it begins with. */
const openings = Alphabet.of('["\'`[({]');
const scheme = /(?:basic|bearer|token|apikey|digest|negotiate)\s{1,20}/iy;
/** The first two letters of each. */
const ofSchemes = Alphabet.of('[abdeinoptABDEINOPT]');
const [blank, exclamation, ampersand, backslash] = [32, 33, 38, 92];
const ofTags = Alphabet.of('[A-Za-z0-9_]');
const blanks = Alphabet.of('[ \\t]');
const ofLine = Alphabet.of('[^\\n\\r"\'`<>]');
const longest = 8_192;
const [openParenthesis, openBracket, openBrace] = [40, 91, 123];

/** Of a group under a name that may be no credential's, so much is looked at. */
const groupAtMost = 2_000;

/** Values without marks around them. Where one ends is remembered: many names may stand within it. */
export class Values {
  readonly #view: View;
  readonly #units: Units;
  readonly #runs: Runs;
  readonly #nextMark: NextMark;
  readonly #words: BareWords;
  #from = 0;
  #end = 0;

  constructor(view: View, nextMark: NextMark) {
    this.#view = view;
    this.#units = view.units;
    this.#runs = new Runs(view.units);
    this.#nextMark = nextMark;
    this.#words = new BareWords(view);
  }

  at({ start, form }: Operator, extent: Extent): Span | null {
    const units = this.#units;
    const { structures } = extent;
    if (form.block && structures)
      return spanOf(start, blockEnd(units.text, start, this.#view.stringEnd(start)));
    const first = units.at(start);
    if (first === openBracket && units.text.startsWith(marker, start)) return this.#behindMarker(start);
    if (form.terminator !== null && structures) return this.#hereDocument(start, form.terminator);
    if (form.list && structures) return listed(units.text, start, this.#endWithin(start));
    if (structures && !form.inMarks && this.#words.isEncoded(start, start - 1))
      return spanOf(start, this.#endOfWord(start));
    const opening = openingEnd(units, start);
    if (opening !== -1)
      return this.#chain(start, opening, structures, form.between ? bounds : concatenations);
    const tagged = behindTag(units, start);
    if (tagged > start && quotes.has(units.at(tagged)))
      return this.#quoted(tagged + 1, units.text.charAt(tagged), structures);
    if (form.inMarks && !(structures && this.#words.isOfEncodedJson(start))) return null;
    if (first === openBrace || first === openBracket)
      return structures ? bracketed(units.text, start, this.#view.stringEnd(start)) : null;
    return structures ? this.#unquoted(start, extent) : trimmed(units, start, this.#endOfBare(start));
  }

  #unquoted(start: number, { wholeLine }: Extent): Span | null {
    const units = this.#units;
    if (units.at(start) === openParenthesis) return this.#group(start);
    const mark = this.#nextMark.from(start);
    const isMarkNear = mark - start <= markAtMost && !this.#words.isEncoded(mark, start - 1);
    const expressed = isMarkNear ? this.#expressed(start) : null;
    return expressed ?? trimmed(units, start, wholeLine ? this.#endOfLine(start) : this.#endOfWord(start));
  }

  /** Where the string of JSON ends that a mark at a place is in, or that it opens. */
  #endWithin(start: number): number {
    return Math.min(this.#view.stringEnd(start), this.#view.stringEnd(start + 1));
  }

  #hereDocument(start: number, terminator: string): Span | null {
    const until = this.#view.stringEnd(start);
    const length = this.#units.text.slice(start - 1, until).indexOf(`\n${terminator}`);
    return trimmed(this.#units, start, length === -1 ? until : start - 1 + length);
  }

  /** A value in quotation marks, and further ones that are put behind it: `"a" + b + "c"`. The first may be empty. */
  #chain(start: number, opening: number, structures: boolean, link: Link): Span | null {
    const units = this.#units;
    let value = this.#quoted(opening, openedBy(units, opening), structures);
    if (!structures) return value;
    let until = -1;
    for (;;) {
      const next = link.endAt(units, value?.end ?? opening);
      if (next === -1) return value;
      if (until === -1) until = this.#view.stringEnd(start);
      if (next > until) return value;
      const further = this.#quoted(next, openedBy(units, next), structures);
      if (further === null) return value;
      value = spanOf(value?.start ?? further.start, Math.min(further.end, until));
    }
  }

  #quoted(start: number, mark: string, structures: boolean): Span | null {
    return quotedValue(this.#view, start, mark, structures ? Infinity : doubtfulAtMost);
  }

  /** An expression with what stands in quotation marks in it, `Secret("…")` or `env.TOKEN || "…"`. */
  #expressed(start: number): Span | null {
    const units = this.#units;
    const from = expressionEnd(units, start);
    if (from === -1) return null;
    const until = this.#view.stringEnd(start);
    if (from >= until) return null;
    if (units.at(from - 1) === openParenthesis)
      return spanOf(start, listed(units.text, from, Math.min(until, from + argumentsAtMost)).end);
    const opening = openingEnd(units, from);
    const link = isChoosing(units, from) ? choices : concatenations;
    const quoted = opening === -1 ? null : this.#chain(from, opening, true, link);
    return quoted === null ? null : spanOf(start, quoted.end);
  }

  /** What stands in a group or a list in brackets: its beginning only. */
  group({ start, form: { list } }: Operator): Span {
    const until = Math.min(this.#view.stringEnd(start), start + groupAtMost);
    if (list) return listed(this.#units.text, start, until);
    return this.#units.text[start] === '('
      ? parenthesised(this.#units.text, start, until)
      : bracketed(this.#units.text, start, until);
  }

  /** `token:(a OR (b AND c))` with all that is in it; what is glued to it, a boost or more of a value, goes with it. */
  #group(start: number): Span | null {
    const until = this.#view.stringEnd(start);
    const group = parenthesised(this.#units.text, start, until);
    const behind = group.end + 1;
    if (behind < until && !/[\s"'`,;.)\]}&<]/.test(this.#units.text[behind] ?? ' '))
      return trimmed(this.#units, start, Math.min(until, this.#endOfBare(behind)));
    return group.end === group.start ? null : group;
  }

  /** What was replaced already, unless more of the same word follows. */
  #behindMarker(start: number): Span | null {
    const behind = start + marker.length;
    return /[\w-]/.test(this.#units.text[behind] ?? ' ')
      ? trimmed(this.#units, start, this.#endOfBare(start))
      : null;
  }

  /** Whether a value of so few characters stands there, in marks or without, and nothing else can. */
  isShort(start: number, lessThan: number): boolean {
    const units = this.#units;
    const first = units.at(start);
    if (!quotes.has(first))
      return (
        !openings.has(first) &&
        !quotes.has(units.at(start + 1)) &&
        this.runEnd(start) - start < lessThan &&
        behindScheme(units, start) === null &&
        behindTag(units, start) === start
      );
    if (units.at(start + 1) === first) return false; // three marks may open it
    let end = start + 1;
    while (end - start <= lessThan && end < units.length && units.at(end) !== first) end += 1;
    return end - start <= lessThan && end < units.length;
  }

  #endOfLine(start: number): number {
    let end = this.#runs.endOf(ofLine, start);
    while (end - start < longest && this.#words.isEncoded(end, start - 1))
      end = this.#runs.endOf(ofLine, end + 1);
    return Math.min(end, start + longest);
  }

  /** Where the run without blanks, quotation marks, `&` and angle brackets ends that holds a place. */
  runEnd(start: number): number {
    if (start >= this.#from && start < this.#end) return this.#end;
    const units = this.#units;
    let end = start;
    while (end < units.length && !(endsRun(units.at(end)) && !isEscapedBlank(units, start, end))) end += 1;
    this.#from = start;
    this.#end = end;
    return end;
  }

  /** The same of a credential for sure, with what may bound a word but does not. */
  #endOfWord(start: number): number {
    let end = Math.max(this.#endOfBare(start), this.#words.expressionEnd(start));
    while (end - start < longest && this.#goesOn(end, start)) end = this.runEnd(end + 1);
    return end;
  }

  #goesOn(end: number, start: number): boolean {
    return this.#words.goesOn(end, this) || this.#words.isEncoded(end, start - 1);
  }

  #endOfBare(start: number): number {
    const inside = behindScheme(this.#units, start) ?? behindTag(this.#units, start);
    return Math.min(this.runEnd(inside), inside + longest);
  }
}

const ends = Alphabet.of('[\\x00-\\x20"&\'<>`]');
const endsRun = (code: number): boolean => (code < 128 ? ends.has(code) : isOtherBlank(code));
const isOtherBlank = (code: number): boolean =>
  code === 0xa0 || code === 0x2028 || code === 0x2029 || code === 0x3000;

/** A blank behind a backslash is a part of a word in Lucene's syntax and in a shell's. */
const isEscapedBlank = (units: Units, from: number, at: number): boolean =>
  units.at(at) === blank && at > from && units.at(at - 1) === backslash;

function behindScheme(units: Units, start: number): number | null {
  if (!ofSchemes.has(units.at(start)) || !ofSchemes.has(units.at(start + 1))) return null;
  scheme.lastIndex = start;
  return scheme.test(units.text) ? scheme.lastIndex : null;
}

/** Behind a tag or an anchor of YAML before a value, `!tag`, `!!tag` and `&anchor`, and the blanks that follow it. */
function behindTag(units: Units, start: number): number {
  const first = units.at(start);
  if (first !== exclamation && first !== ampersand) return start;
  const isTwice = first === exclamation && units.at(start + 1) === exclamation;
  const name = start + (isTwice ? 2 : 1);
  const nameEnd = skip(units, ofTags, name, 20);
  const end = skip(units, blanks, nameEnd, 4);
  return end === nameEnd || (first === ampersand && nameEnd === name) ? start : end;
}

const closers = Alphabet.of('[ \\t\\n\\r)\\]},;.]');

/** Without the punctuation of what stands around it. */
function trimmed(units: Units, start: number, from: number): Span | null {
  let end = from;
  while (end > start && closers.has(units.at(end - 1))) end -= 1;
  return end === start ? null : spanOf(start, end);
}

/** So far from its beginning the quotation mark of an expression may stand. */
const markAtMost = 160;
const argumentsAtMost = 400;
