import { marker, type Span } from '../span.js';
import { blockEnd } from './blocks.js';
import { bracketed, listed, parenthesised } from './bracketed-values.js';
import type { Operator } from './operators.js';
import { openingMark, quotedValue, quotes, type Opening } from './quoted-values.js';
import { Alphabet, type Runs } from './runs.js';

export interface Surroundings {
  /** The value takes the rest of its line. */
  readonly wholeLine: boolean;
  /** Lists and objects are values as well. */
  readonly structures: boolean;
  readonly operator: Operator;
}

const ofNames = Alphabet.of('[A-Za-z0-9]');
const scheme = /(?:basic|bearer|token|apikey|digest|negotiate)\s{1,20}/iy;
/** The first two letters of each. */
const ofSchemes = Alphabet.of('[abdeinoptABDEINOPT]');
/** A tag or an anchor of YAML before a value. */
const tag = /(?:!{1,2}\w{0,20}|&\w{1,20})[ \t]{1,4}/y;
const ofTags = Alphabet.of('[!&]');
const ofLine = Alphabet.of('[^\\n\\r"\'`<>]');
const unquoted = Alphabet.of('[^"\'`]');
const longest = 8_192;

/** Behind a value's closing mark, up to the opening one of the next. */
const joint = String.raw`[ \t\n]{0,8}(?:\+|\|\||\?\?|&|[oO][rR]\b|\.(?=["'\x60$ ]))[ \t\n]{0,8}`;
const anyMark = String.raw`"""|'''|["'\x60]`;
const concatenation = new RegExp(
  String.raw`(?:${anyMark})${joint}(?:[\w.$]{1,60}(?:\(\))?${joint}){0,4}(${anyMark})`,
  'y',
);
/** Behind the first of two values of which one is chosen: `a ? "x" : "y"`. */
const choice = new RegExp(String.raw`(?:${anyMark})[ \t\n]{0,8}:[ \t\n]{0,8}(${anyMark})`, 'y');
const bound = /["'`]\s{1,8}[aA][nN][dD]\s{1,8}(["'`])/y;
/** Of a group under a name that may be no credential's, so much is looked at. */
const groupAtMost = 2_000;

/** Values without marks around them. Where one ends is remembered: many names may stand within it. */
export class Values {
  readonly #plain: string;
  readonly #runs: Runs;
  readonly #stringEnd: (index: number) => number;
  #from = 0;
  #end = 0;

  /** `stringEnd`: where the string of JSON ends that a place is in, or the text. */
  constructor(plain: string, runs: Runs, stringEnd: (index: number) => number) {
    this.#plain = plain;
    this.#runs = runs;
    this.#stringEnd = stringEnd;
  }

  at(start: number, around: Surroundings): Span | null {
    const plain = this.#plain;
    const first = plain[start] ?? '';
    if (around.operator.block && around.structures)
      return { start, end: blockEnd(plain, start, this.#stringEnd(start)) };
    if (plain.startsWith(marker, start)) return this.#behindMarker(start);
    if (around.operator.terminator !== null && around.structures)
      return this.#hereDocument(start, around.operator.terminator);
    if (around.operator.list && around.structures) return listed(plain, start, this.#stringEnd(start));
    const opening = openingMark(plain, start);
    if (opening !== null) return this.#chain(start, opening, around);
    const tagged = behindTag(plain, start);
    if (tagged > start && quotes.has(plain.charCodeAt(tagged)))
      return quotedValue(plain, tagged + 1, plain[tagged] ?? '"');
    if (around.operator.newLine || around.operator.json) return null;
    if (first === '{' || first === '[')
      return around.structures ? bracketed(plain, start, this.#stringEnd(start)) : null;
    if (first === '(' && around.structures) return this.#group(start);
    const expressed =
      around.structures && this.#runs.endOf(unquoted, start) - start <= markAtMost
        ? this.#expressed(start, around)
        : null;
    if (expressed !== null) return expressed;
    return trimmed(plain, start, around.wholeLine ? this.#endOfLine(start) : this.#endOfBare(start));
  }

  #hereDocument(start: number, terminator: string): Span | null {
    const until = this.#stringEnd(start);
    const end = this.#plain.indexOf(`\n${terminator}`, start - 1);
    return trimmed(this.#plain, start, end === -1 || end > until ? until : end);
  }

  /** A value in quotation marks, and further ones that are put behind it: `"a" + b + "c"`. The first may be empty. */
  #chain(start: number, opening: Opening, around: Surroundings, joined = concatenation): Span | null {
    const plain = this.#plain;
    let value = quotedValue(plain, opening.end, opening.mark);
    if (!around.structures) return value;
    const link = around.operator.between ? bound : joined;
    const until = this.#stringEnd(start);
    for (;;) {
      link.lastIndex = value?.end ?? opening.end;
      const next = link.exec(plain);
      if (next === null || link.lastIndex > until) return value;
      const further = quotedValue(plain, link.lastIndex, next[1] ?? '"');
      if (further === null) return value;
      value = { start: value?.start ?? further.start, end: Math.min(further.end, until) };
    }
  }

  /** An expression with what stands in quotation marks in it, `Secret("…")` or `env.TOKEN || "…"`. */
  #expressed(start: number, around: Surroundings): Span | null {
    const plain = this.#plain;
    const until = this.#stringEnd(start);
    expression.lastIndex = start;
    if (!expression.test(plain) || expression.lastIndex >= until) return null;
    const from = expression.lastIndex;
    if (plain[from - 1] === '(')
      return { start, end: listed(plain, from, Math.min(until, from + argumentsAtMost)).end };
    const opening = openingMark(plain, from);
    const joined = choosing.test(plain.slice(from - 5, from)) ? choice : concatenation;
    const quoted = opening === null ? null : this.#chain(from, opening, around, joined);
    return quoted === null ? null : { start, end: quoted.end };
  }

  /** What stands in a group or a list in brackets: its beginning only. */
  group(start: number, { list }: Operator): Span {
    const until = Math.min(this.#stringEnd(start), start + groupAtMost);
    if (list) return listed(this.#plain, start, until);
    return this.#plain[start] === '('
      ? parenthesised(this.#plain, start, until)
      : bracketed(this.#plain, start, until);
  }

  /** `token:(a OR (b AND c))` with all that is in it; what is glued to it, a boost or more of a value, goes with it. */
  #group(start: number): Span | null {
    const until = this.#stringEnd(start);
    const group = parenthesised(this.#plain, start, until);
    const behind = group.end + 1;
    if (behind < until && !/[\s"'`,;.)\]}&<]/.test(this.#plain[behind] ?? ' '))
      return trimmed(this.#plain, start, Math.min(until, this.#endOfBare(behind)));
    return group.end === group.start ? null : group;
  }

  /** What was replaced already, unless more of the same word follows. */
  #behindMarker(start: number): Span | null {
    const behind = start + marker.length;
    return /[\w-]/.test(this.#plain[behind] ?? ' ')
      ? trimmed(this.#plain, start, this.#endOfBare(start))
      : null;
  }

  /** Whether a value of so few characters stands there, in marks or without, and nothing else can. */
  isShort(start: number, lessThan: number): boolean {
    const plain = this.#plain;
    const first = plain.charCodeAt(start);
    if (!quotes.has(first))
      return (
        ofNames.has(first) &&
        !quotes.has(plain.charCodeAt(start + 1)) &&
        this.runEnd(start) - start < lessThan &&
        behindScheme(plain, start) === null
      );
    if (plain.charCodeAt(start + 1) === first) return false; // three marks may open it
    let end = start + 1;
    while (end - start <= lessThan && end < plain.length && plain.charCodeAt(end) !== first) end += 1;
    return end - start <= lessThan && end < plain.length;
  }

  #endOfLine(start: number): number {
    return Math.min(this.#runs.endOf(ofLine, start), start + longest);
  }

  /** Where the run without blanks, quotation marks, `&` and angle brackets ends that holds a place. */
  runEnd(start: number): number {
    if (start < this.#from || start >= this.#end) {
      this.#from = start;
      this.#end = start;
      while (this.#end < this.#plain.length && !this.#endsRunAt(this.#end)) this.#end += 1;
    }
    return this.#end;
  }

  /** A blank behind a backslash is a part of a word in Lucene's syntax and in a shell's. */
  #endsRunAt(at: number): boolean {
    const code = this.#plain.charCodeAt(at);
    const isEscapedBlank = code === 32 && at > this.#from && this.#plain.charCodeAt(at - 1) === 92;
    return endsRun(code) && !isEscapedBlank;
  }

  #endOfBare(start: number): number {
    const inside = behindScheme(this.#plain, start) ?? behindTag(this.#plain, start);
    return Math.min(this.runEnd(inside), inside + longest);
  }
}

const endsRun = (code: number): boolean =>
  code <= 32 ||
  code === 34 ||
  code === 38 ||
  code === 39 ||
  code === 60 ||
  code === 62 ||
  code === 96 ||
  code === 0xa0 ||
  code === 0x2028 ||
  code === 0x2029 ||
  code === 0x3000;

function behindScheme(plain: string, start: number): number | null {
  if (!ofSchemes.has(plain.charCodeAt(start)) || !ofSchemes.has(plain.charCodeAt(start + 1))) return null;
  scheme.lastIndex = start;
  return scheme.test(plain) ? scheme.lastIndex : null;
}

function behindTag(plain: string, start: number): number {
  if (!ofTags.has(plain.charCodeAt(start))) return start;
  tag.lastIndex = start;
  return tag.test(plain) ? tag.lastIndex : start;
}

const closers = Alphabet.of('[ \\t\\n\\r)\\]},;.]');

/** Without the punctuation of what stands around it. */
function trimmed(plain: string, start: number, from: number): Span | null {
  let end = from;
  while (end > start && closers.has(plain.charCodeAt(end - 1))) end -= 1;
  return end === start ? null : { start, end };
}

const expression =
  /(?:[A-Za-z_$][\w.$:]{0,60}[ \t]?)?\([ \t]{0,4}(?=["'`])|[A-Za-z]{1,2}(?=["'`])|[\w.$]{1,60}(?:[ \t]{1,3}[!=]={1,2}[ \t]{1,3}\w{1,20})?[ \t]{1,3}(?:\|\||\?\?|or|\?[^\n"'`]{0,40}:|\?)[ \t]{1,3}(?=["'`])/y;
/** How such an expression ends whose next value is one of two. */
const choosing = /[^?]\?[ \t]{1,3}$/;
/** So far from its beginning the quotation mark of an expression may stand. */
const markAtMost = 160;
const argumentsAtMost = 400;
