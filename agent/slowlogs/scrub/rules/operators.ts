import { Alphabet, type Runs } from './runs.js';

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
  /** The word that ends a here-document. */
  readonly terminator: string | null;
  /** Two values follow, with an `and` between them. */
  readonly between: boolean;
}

const mark = String.raw`(?=["'\x60])`;
/** Of numbers, a few digits say nothing. */
const markOrNumber = String.raw`(?=["'\x60]|\d{4})`;
/** Letters in either case: the expression as a whole heeds it. */
const caseless = (pattern: string): string =>
  pattern.replaceAll(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
const comparing =
  'equals|equalsIgnoreCase|contains|startsWith|endsWith|matches|compareTo|compareToIgnoreCase|indexOf|lastIndexOf';
/** What may stand between an operator and its value: block scalars of YAML, here-documents of a shell. */
const prefix = String.raw`(?:(?:!{1,2}[\w-]{0,20}[ \t]{1,4})?[|>][+-]?\d?[ \t]{0,8}\n[ \t]{1,20}|<<[-~]?["']?\w{1,20}["']?\n)?`;
const type = String.raw`(?:&|std::)?(?:[sS]tr(?:ing)?|[tT]ext|[cC]har|any|Secret|SecureString)\??[ \t]{0,2}`;
const hereDocument = String.raw`<<[-~]?["']?\w{1,20}["']?[ \t]{0,4}\n`;
const ways = [
  String.raw`\.(?:${comparing})\(${mark}`,
  String.raw`(?=\()(?<=\.(?:${comparing}))\(${mark}`,
  String.raw`[ \t]{1,8}(?:[nN][oO][tT][ \t]{1,4})?(?:(?:[rRiI]?[lL][iI][kK][eE]|[iI][nN])~?|[bB][eE][tT][wW][eE][eE][nN])[ \t]{0,4}\(?[ \t]{0,4}${mark}`,
  // with a type: `token: string = "…"`
  String.raw`[ \t]{0,2}:[ \t]{0,2}${type}=[ \t]{0,2}${mark}`,
  String.raw`[ \t]{0,8}(?:\.=|<>|=~|[:=?!]{1,4}(?:>=?|<=|<(?=["'\x60]))?|->|\|\|:?|,?[ \t]value[ \t]?=)(?:\*\*)?\s{0,20}${prefix}`,
  String.raw`[ \t]{1,4}(?:-|is|was|or|\?\?)?[ \t]{0,4}${mark}`,
  String.raw`~${mark}`,
  String.raw`[ \t]{0,4}[<>]=?[ \t]{0,4}${markOrNumber}`,
  String.raw`[ \t]{1,4}${hereDocument}`,
  // a call: `setToken("…")`
  String.raw`[ \t]?\(${mark}`,
  String.raw`>(?=[^\s<])`,
  // the value goes to a static method beside the field: `Objects.equals(doc['token'].value, "…")`
  String.raw`(?=,)(?<=[eE]quals\([^()"'\x60\n]{0,30}["'\x60]?[\w.-]{1,120}["'\x60]?\]?(?:\.value)?),[ \t]{0,4}${mark}`,
  String.raw`(?=[ \t])(?<=(?:^|[ \t\n"'\x60([{*])--?[\w.-]{1,120})[ \t]{1,4}(?=[^\s-])`,
];
/** A name that is an argument of a call, and its value the next: `put("token", "…")`, or of one that compares a field. */
const comparingCall =
  '(?:match(?:_phrase)?|starts_?with|ends_?with|(?:string_?|mv_)?contains|index_?of|locate|wildcard|[ir]?like|regexp|coalesce|concat|replace|term|nullif|ifnull)';
const comparedNext = String.raw`(?=["'\x60]?[ \t]{0,4},)(?<=\b${caseless(comparingCall)}v?\([ \t]{0,2}["'\x60]?[\w.-]{1,120})["'\x60]?[ \t]{0,4},\s{0,4}${markOrNumber}`;
const nextArgument = String.raw`(?=["'\x60][ \t]{0,4},)(?<=\w\([ \t]{0,2}["'\x60][\w.-]{1,120})["'\x60][ \t]{0,4},\s{0,4}${mark}`;
/** How a script or a query takes the value of a field. */
const reading = String.raw`\.(?:values?|keyword|raw|(?:get|getValue|toLowerCase|toUpperCase|toString|trim)\((?:0|''|"")?\))\)?|::[a-z_]{1,20}\)?`;
/** What a script takes where a document has no such field: `$('token', '') == …`. */
const withDefault = String.raw`["'\x60][ \t]{0,2},[ \t]{0,2}(?:''|""|null|-?\d{1,9})(?=\))`;
const operator = new RegExp(
  String.raw`${withDefault}\)(?:${reading}){0,3}(?:${ways.join('|')})|${nextArgument}|${comparedNext}|\\?["'\x60\])*]{0,4}(?:${reading}){0,3}(?:${ways.join('|')})`,
  'y',
);

const closing = Alphabet.of('["\'`)*\\]]');
const blanks = Alphabet.of('[ \\t]');
const marks = Alphabet.of('["\'`]');
const unquoted = Alphabet.of('[^"\'`]');
const signs = Alphabet.of('[:=?!]');
const letters = Alphabet.of('[A-Za-z]');
const behindBlanks = Alphabet.of('[:=?!|,"\'`.<>(iwvrlnobIRLNB-]');
/** What may begin an operator right behind a name, with what must follow it. */
const beginnings = new Map(
  Object.entries({
    '(': `["'\`]`, '~': `["'\`]`, '-': '>', '|': '[|]', '<': `[>="'\`\\d \\t]`, ',': `["'\`\\d \\t]`, '.': '[=vkgecsmrtil]',
    // a wildcard that ends the name of a field, in Lucene's syntax
    '\\': '[*]',
  }).map(([first, second]) => [first.charCodeAt(0), Alphabet.of(second)]),
); // prettier-ignore
const always = Alphabet.of('[:=?!>"\'`)*\\]]');
/** What may make more of an operator than a sign: line breaks, blocks, here-documents, tags. What is not ASCII may be a blank. */
const further = Alphabet.of('[\\n\\v\\f\\r!|><*~]');
const beginsType = Alphabet.of('[&sStTcCa]');
const typed = new RegExp(`${type}=`, 'y');

const hyphen = 45;
const colon = 58;
const equal = 61;
const greater = 62;
const doubleQuote = 34;
/** No operator that needs a quotation mark has it farther away. */
const markAtMost = 48;

/** Finds operators behind names. Most names are followed by none, and most operators are a sign: both are read by hand. */
export class Operators {
  readonly #plain: string;
  readonly #runs: Runs;

  constructor(plain: string, runs: Runs) {
    this.#plain = plain;
    this.#runs = runs;
  }

  /** The one that begins at a place, behind a name. */
  at(end: number): Operator | null {
    return this.#bracketAt(end) ?? this.#signAt(end) ?? expressedAt(this.#plain, end);
  }

  /** Whether there may be one behind the name between two places. */
  mayFollow(at: number, end: number): boolean {
    const plain = this.#plain;
    const first = plain.charCodeAt(end);
    if (!blanks.has(first))
      return always.has(first) || beginnings.get(first)?.has(plain.charCodeAt(end + 1)) === true;
    if (plain.charCodeAt(at - 1) === hyphen) return true;
    let next = end + 1;
    while (next - end < 8 && blanks.has(plain.charCodeAt(next))) next += 1;
    const code = plain.charCodeAt(next);
    if (!behindBlanks.has(code)) return false;
    return !letters.has(code) || plain[next] === 'v' || this.#isMarkNear(next);
  }

  #isMarkNear(at: number): boolean {
    return this.#runs.endOf(unquoted, at) - at <= markAtMost;
  }

  /** The bracket that ends a tag, with text behind it. */
  #bracketAt(end: number): Operator | null {
    const plain = this.#plain;
    if (plain.charCodeAt(end) !== greater || !letters.has(plain.charCodeAt(end + 1))) return null;
    return {
      start: end + 1,
      newLine: false,
      json: false,
      list: false,
      block: false,
      terminator: null,
      between: false,
    };
  }

  /** A sign such as `=`, `:` or `?=`, and blanks; null where it may be anything else. */
  #signAt(end: number): Operator | null {
    const plain = this.#plain;
    const name = skip(plain, closing, end, 4);
    const sign = skip(plain, blanks, name, 8);
    const signEnd = skip(plain, signs, sign, 4);
    if (signEnd === sign) return null;
    const arrow = Number(plain.charCodeAt(signEnd) === greater);
    const start = skip(plain, blanks, signEnd + arrow, 20);
    const code = plain.charCodeAt(start);
    if (code >= 128 || further.has(code) || further.has(plain.charCodeAt(signEnd + arrow))) return null;
    const isColon = plain.charCodeAt(sign) === colon;
    if (arrow === 1 && plain.charCodeAt(signEnd + 1) === equal) return null;
    if (isColon && plain.charCodeAt(sign + 1) === colon) return null;
    if (isColon && beginsType.has(code) && isTyped(plain, start)) return null;
    const json =
      isColon && signEnd + arrow === sign + 1 && name > end && plain.charCodeAt(name - 1) === doubleQuote;
    return { start, newLine: false, json, list: false, block: false, terminator: null, between: false };
  }
}

function isTyped(plain: string, at: number): boolean {
  typed.lastIndex = at;
  return typed.test(plain);
}

function skip(plain: string, alphabet: Alphabet, from: number, atMost: number): number {
  let at = from;
  while (at - from < atMost && alphabet.has(plain.charCodeAt(at))) at += 1;
  return at;
}

/** With what every way begins, behind what closes the name and blanks. */
const beginsWay = Alphabet.of('[.(:=?!<>|,~-]');
const backslash = 92;
const comma = 44;
const less = 60;

/** The expression takes its time over each place where it finds nothing: most of them are told by a letter or two. */
function mayBeExpressed(plain: string, end: number): boolean {
  const first = plain.charCodeAt(end);
  if (first === greater && plain.charCodeAt(end + 1) === less) return false;
  const closed = skip(plain, closing, first === backslash ? end + 1 : end, 4);
  const sign = skip(plain, blanks, closed, 8);
  const code = plain.charCodeAt(sign);
  if (code === hyphen && plain.charCodeAt(sign + 1) !== greater)
    return sign > closed && marks.has(plain.charCodeAt(skip(plain, blanks, sign + 1, 4)));
  if (code === comma) return isArgument(plain, end, sign);
  return sign > closed || beginsWay.has(code);
}

/** The farthest that a call opens before the end of a name that is its argument, and closes behind a default. */
const callAtMost = 220;
const defaultAtMost = 24;

/** Whether a comma may be one of a call, or of `name, value = …`: those of lists are many. */
const isArgument = (plain: string, end: number, at: number): boolean =>
  plain.startsWith('value', at + 2) ||
  plain.slice(Math.max(0, end - callAtMost), end).includes('(') ||
  plain.slice(end, end + defaultAtMost).includes(')');

function expressedAt(plain: string, end: number): Operator | null {
  if (!mayBeExpressed(plain, end)) return null;
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
    terminator: endsLine ? (/<<[-~]?["']?(\w{1,20})["']?[ \t]*\n$/.exec(behind)?.[1] ?? null) : null,
    between: behind.length > 8 && /between\W*$/i.test(behind),
  };
}

const opensList = (behind: string): boolean =>
  behind.endsWith('(') ? !/\.\w+\($/.test(behind) : /\bin~?[ \t]*\([ \t]*$/i.test(behind);
