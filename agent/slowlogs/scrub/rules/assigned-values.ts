import { marker, type Span } from '../span.js';
import { blockEnd } from './blocks.js';

/** What stands between a name and its value. */
export interface Operator {
  /** Where the value begins. */
  readonly start: number;
  /** The value would stand on the next line. */
  readonly newLine: boolean;
  /** Name and colon stand as in JSON, whose values without quotation marks are the matter of another rule. */
  readonly json: boolean;
  /** A list of values in parentheses follows, its first quotation mark next. */
  readonly list: boolean;
  /** A block of YAML follows: the value goes on over all lines indented like its first. */
  readonly block: boolean;
}

const mark = String.raw`(?=["'\x60])`;
const comparing = 'equals|equalsIgnoreCase|contains|startsWith|endsWith|matches';
/** What may stand between an operator and its value: block scalars of YAML, here-documents of a shell. */
const prefix = String.raw`(?:(?:!{1,2}[\w-]{0,20}[ \t]{1,4})?[|>][+-]?\d?[ \t]{0,8}\n[ \t]{1,20}|<<[-~]?["']?\w{1,20}["']?\n)?`;
const ways = [
  String.raw`\.(?:${comparing})\(${mark}`,
  String.raw`(?<=\.(?:${comparing}))\(${mark}`,
  String.raw`[ \t]{1,8}(?:[nN][oO][tT][ \t]{1,4})?(?:[rRiI]?[lL][iI][kK][eE]|[iI][nN])[ \t]{0,4}\(?[ \t]{0,4}${mark}`,
  // with a type: `token: string = "…"`
  String.raw`[ \t]{0,2}:[ \t]{0,2}(?:&|std::)?(?:[sS]tr(?:ing)?|[tT]ext|[cC]har|any|Secret|SecureString)\??[ \t]{0,2}=[ \t]{0,2}${mark}`,
  String.raw`[ \t]{0,8}(?:\.=|<>|=~|[:=?!]{1,4}>?|->|\|\|:?|,?[ \t]value[ \t]?=)(?:\*\*)?\s{0,20}${prefix}`,
  String.raw`[ \t]{1,4}(?:-|is|was|or|\?\?)?[ \t]{0,4}${mark}`,
  String.raw`~${mark}`,
  // a call: `setToken("…")`
  String.raw`[ \t]?\(${mark}`,
  String.raw`>(?=[^\s<])`,
  String.raw`(?<=(?:^|[ \t\n"'\x60([{])--?[\w.-]{1,120})[ \t]{1,4}(?=[^\s-])`,
];
/** A name that is an argument of a call, and its value the next: `put("token", "…")`. */
const nextArgument = String.raw`(?<=\w\([ \t]{0,2}["'\x60][\w.-]{1,120})["'\x60][ \t]{0,4},\s{0,4}${mark}`;
const operator = new RegExp(
  String.raw`${nextArgument}|["'\x60\])*]{0,4}(?:\.(?:value|values|keyword|get\(0\))){0,2}(?:${ways.join('|')})`,
  'y',
);
const closing = `"'\`])*`;
const beginning = ':=?!-|>,.(<~';
const afterBlank = `:=?!-|,"'\`.<(iwvrlnoIRLN`;

/** Whether an operator may stand there at all: most names are followed by none. */
function mayBeOperator(plain: string, at: number, end: number): boolean {
  const first = plain[end] ?? '';
  if (first !== ' ' && first !== '\t') return first !== '' && (beginning + closing).includes(first);
  if (plain[at - 1] === '-') return true;
  let next = end + 1;
  while (next - end < 8 && (plain[next] === ' ' || plain[next] === '\t')) next += 1;
  return afterBlank.includes(plain[next] ?? ' ');
}

export function operatorAt(plain: string, at: number, end: number): Operator | null {
  if (!mayBeOperator(plain, at, end)) return null;
  operator.lastIndex = end;
  const behind = operator.exec(plain)?.[0];
  if (behind === undefined) return null;
  const endsLine = behind.includes('\n');
  return {
    start: end + behind.length,
    newLine: endsLine && !/[|>\w][+-]?\d?["']?[ \t]*\n[ \t]*$/.test(behind),
    json: behind.includes('"') && /"\s*:\s*$/.test(behind),
    block: endsLine && /[|>][+-]?\d?[ \t]*\n[ \t]+$/.test(behind),
    list: behind.includes('(') && opensList(behind),
  };
}

const opensList = (behind: string): boolean =>
  behind.endsWith('(') ? !/\.\w+\($/.test(behind) : /\bin[ \t]*\([ \t]*$/i.test(behind);

export interface Surroundings {
  /** The value takes the rest of its line. */
  readonly wholeLine: boolean;
  /** Lists and objects are values as well. */
  readonly structures: boolean;
  readonly operator: Operator;
}

/** What may open a quoted value, with the prefix that some languages put before it. */
const quoted = /[bBuUrRfF@$]?("""|'''|["'`])/y;
const opensQuoted = 'bBuUrRfF@$"\'`';
const scheme = /(?:basic|bearer|token|apikey|digest|negotiate)\s{1,20}/iy;
/** A tag or an anchor of YAML before a value. */
const tag = /(?:!{1,2}\w{0,20}|&\w{1,20})[ \t]{1,4}/y;
const lineEnd = /[\n\r"'`<>]/g;
const longest = 8_192;

/** Values without marks around them. Where one ends is remembered: many names may stand within it. */
export class Values {
  readonly #plain: string;
  readonly #stringEnd: (index: number) => number;
  #from = 0;
  #end = 0;

  /** `stringEnd`: where the string of JSON ends that a place is in, or the text. */
  constructor(plain: string, stringEnd: (index: number) => number) {
    this.#plain = plain;
    this.#stringEnd = stringEnd;
  }

  at(start: number, around: Surroundings): Span | null {
    const plain = this.#plain;
    const first = plain[start] ?? '';
    if (around.operator.block && around.structures)
      return { start, end: blockEnd(plain, start, this.#stringEnd(start)) };
    if (plain.startsWith(marker, start)) return this.#behindMarker(start);
    if (around.operator.list && around.structures) return listed(plain, start, this.#stringEnd(start));
    if (first !== '' && opensQuoted.includes(first)) {
      quoted.lastIndex = start;
      const opening = quoted.exec(plain);
      if (opening !== null) return quotedValue(plain, start + opening[0].length, opening[1] ?? '"');
    }
    const tagged = behindTag(plain, start);
    if (tagged > start && `"'\``.includes(plain[tagged] ?? ' '))
      return quotedValue(plain, tagged + 1, plain[tagged] ?? '"');
    if (around.operator.newLine || around.operator.json) return null;
    if (first === '{' || first === '[')
      return around.structures ? bracketed(plain, start, this.#stringEnd(start)) : null;
    if (first === '(' && around.structures) return this.#group(start);
    const expressed = around.structures ? inExpression(plain, start, this.#stringEnd(start)) : null;
    if (expressed !== null) return expressed;
    return trimmed(plain, start, around.wholeLine ? endOfLine(plain, start) : this.#endOfBare(start));
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
    scheme.lastIndex = start;
    const from = 'bBtTaAdDnN'.includes(this.#plain[start] ?? ' ') ? scheme.exec(this.#plain) : null;
    const inside = from === null ? behindTag(this.#plain, start) : start + from[0].length;
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

function behindTag(plain: string, start: number): number {
  tag.lastIndex = start;
  return '!&'.includes(plain[start] ?? ' ') && tag.test(plain) ? tag.lastIndex : start;
}

function endOfLine(plain: string, start: number): number {
  lineEnd.lastIndex = start;
  return Math.min(lineEnd.exec(plain)?.index ?? plain.length, start + longest);
}

const closers = ' \t\n\r)]},;.';

/** Without the punctuation of what stands around it. */
function trimmed(plain: string, start: number, from: number): Span | null {
  let end = from;
  while (end > start && closers.includes(plain[end - 1] ?? '')) end -= 1;
  return end === start ? null : { start, end };
}

/** Up to the same mark. A mark right behind the operator may end a string of JSON: then no value follows. */
function quotedValue(plain: string, start: number, mark: string): Span | null {
  const close = plain.indexOf(mark, start);
  const end = close === -1 ? plain.length : close;
  if (end === start || /^\s*[,:}\]]/.test(plain.slice(start, start + 20))) return null;
  return { start, end };
}

const listEnd = /["'`]\s{0,20}\)/g;

/** `IN ('a', 'b')`: all of them. No value goes on behind the string of JSON that it stands in, nor is looked for there. */
function listed(plain: string, start: number, until: number): Span {
  listEnd.lastIndex = 1;
  return { start: start + 1, end: start + (listEnd.exec(plain.slice(start, until))?.index ?? until - start) };
}

const expression =
  /(?:[A-Za-z_$][\w.$:]{0,60}[ \t]?)?\([ \t]{0,4}(?=["'`])|[A-Za-z]{1,2}(?=["'`])|[\w.$]{1,60}(?:[ \t]{1,3}[!=]={1,2}[ \t]{1,3}\w{1,20})?[ \t]{1,3}(?:\|\||\?\?|or|\?[^\n"'`]{0,40}:)[ \t]{1,3}(?=["'`])/y;
const argumentsAtMost = 400;

/** An expression with what stands in quotation marks in it, `Secret("…")` or `env.TOKEN || "…"`. */
function inExpression(plain: string, start: number, until: number): Span | null {
  expression.lastIndex = start;
  if (!expression.test(plain) || expression.lastIndex >= until) return null;
  const from = expression.lastIndex;
  const quoted =
    plain[from - 1] === '('
      ? listed(plain, from, Math.min(until, from + argumentsAtMost))
      : quotedValue(plain, from + 1, plain[from] ?? '"');
  return quoted === null ? null : { start, end: quoted.end };
}

const bracket = /[{}[\]]/g;

function bracketed(plain: string, start: number, until: number): Span {
  const text = plain.slice(start, until);
  bracket.lastIndex = 0;
  let open = 0;
  for (let match = bracket.exec(text); match !== null; match = bracket.exec(text)) {
    open += match[0] === '{' || match[0] === '[' ? 1 : -1;
    if (open === 0) return { start: start + 1, end: start + match.index };
  }
  return { start: start + 1, end: until };
}

/** Parentheses in quotation marks or behind a backslash count for nothing. */
const parenthesis = /\\[^]|"[^"]*"|[()]/g;

/** What stands between a parenthesis and the one that closes it, or the end. */
function parenthesised(plain: string, start: number, until: number): Span {
  const text = plain.slice(start, until);
  parenthesis.lastIndex = 0;
  let open = 0;
  for (let match = parenthesis.exec(text); match !== null; match = parenthesis.exec(text)) {
    if (match[0] === '(') open += 1;
    else if (match[0] === ')') open -= 1;
    if (open === 0) return { start: start + 1, end: start + match.index };
  }
  return { start: start + 1, end: until };
}
