import type { Units } from '../units.js';
import { behindBlanks } from './blanks.js';
import { behind, skip } from './reading.js';
import { Alphabet } from './runs.js';

/** What of an operator says how its value is read. */
export interface Form {
  /** Only a value in quotation marks is one: it would stand on the next line, or is the matter of another rule, as in JSON. */
  readonly inMarks: boolean;
  /** A list of values in parentheses follows, its first quotation mark next. */
  readonly list: boolean;
  /** A block of YAML follows: the value goes on over all lines indented like its first. */
  readonly block: boolean;
  /** The word that ends a here-document. */
  readonly terminator: string | null;
  /** Two values follow, with an `and` between them. */
  readonly between: boolean;
}

/** What stands between a name and its value. */
export interface Operator {
  /** Where the value begins. */
  readonly start: number;
  readonly form: Form;
}

export const plainly: Form = { inMarks: false, list: false, block: false, terminator: null, between: false };
export const inMarks: Form = { ...plainly, inMarks: true };
export const list: Form = { ...plainly, list: true };
const block: Form = { ...plainly, block: true };
export const between: Form = { ...plainly, between: true };
export const betweenInList: Form = { ...between, list: true };

class MadeOperator implements Operator {
  constructor(
    readonly start: number,
    readonly form: Form,
  ) {}
}

/** Of a class for the reason that spans are. */
export const operatorAt = (start: number, form: Form): Operator => new MadeOperator(start, form);

const blanks = Alphabet.of('[ \\t]');
const marks = Alphabet.of('["\'`]');
const ofNames = Alphabet.of('[A-Za-z0-9_]');
const ofTags = Alphabet.of('[A-Za-z0-9_-]');
const [lineFeed, exclamation, asterisk, dot, less, greater, bar] = [10, 33, 42, 46, 60, 62, 124];
const whiteSpaceAtMost = 20;

/** A block scalar of YAML, with a tag or without. */
const blockScalar = /(?:!{1,2}[\w-]{0,20}[ \t]{1,4})?[|>][+-]?\d?[ \t]{0,8}\n[ \t]{1,20}/y;
const behindIndicator = Alphabet.of('[-+0-9 \\t\\n]');
const hereDocument = /<<[-~]?["']?(\w{1,20})["']?\n/y;
const shellsHereDocument = /<<[-~]?["']?(\w{1,20})["']?[ \t]{0,4}\n/y;

/** An operator that a quotation mark follows, behind no more than so many blanks. */
export function markBehind(units: Units, from: number, blanksAtMost: number, form: Form): Operator | null {
  const at = skip(units, blanks, from, blanksAtMost);
  return marks.has(units.at(at)) ? operatorAt(at, form) : null;
}

/** The operator that a sign ends before a place, with the blanks, line breaks and openings of blocks that follow it. */
export function behindSign(units: Units, signEnd: number, form = plainly): Operator {
  const isPower = units.at(signEnd) === asterisk && units.at(signEnd + 1) === asterisk;
  const from = isPower ? signEnd + 2 : signEnd;
  const start = behindBlanks(units, from, whiteSpaceAtMost);
  const opened = openedAt(units, start);
  return opened ?? operatorAt(start, lineForm(units, from, start, isPower ? plainly : form));
}

/** What opens a value of several lines at a place. */
function openedAt(units: Units, at: number): Operator | null {
  const code = units.at(at);
  if (code === less) return units.at(at + 1) === less ? hereDocumentAt(hereDocument, units, at) : null;
  const indicator = code === exclamation ? behindTag(units, at) : at;
  const opens = units.at(indicator);
  const mayOpen = (opens === bar || opens === greater) && behindIndicator.has(units.at(indicator + 1));
  const value = mayOpen ? behind(blockScalar, units, at) : -1;
  return value === -1 ? null : operatorAt(value, block);
}

/** Behind `!tag` and the blanks that follow it. */
function behindTag(units: Units, at: number): number {
  const name = units.at(at + 1) === exclamation ? at + 2 : at + 1;
  return skip(units, blanks, skip(units, ofTags, name, 20), 4);
}

function hereDocumentAt(expression: RegExp, units: Units, at: number): Operator | null {
  expression.lastIndex = at;
  const terminator = expression.exec(units.text)?.[1];
  return terminator === undefined ? null : operatorAt(expression.lastIndex, { ...plainly, terminator });
}

/** Of a shell: `token <<EOF`. */
export const shellsHereDocumentAt = (units: Units, at: number): Operator | null =>
  hereDocumentAt(shellsHereDocument, units, at);

/** What line breaks between a sign and its value make of it: behind `>` and `|`, which open blocks, one says nothing. */
function lineForm(units: Units, from: number, start: number, form: Form): Form {
  const lineBreak = lineBreakIn(units, from, start);
  if (lineBreak === -1) return form;
  const sign = units.at(from - 1);
  const isAlone =
    skip(units, blanks, from, whiteSpaceAtMost) === lineBreak &&
    skip(units, blanks, lineBreak + 1, start - lineBreak - 1) === start;
  if ((sign !== greater && sign !== bar) || !isAlone) return inMarks;
  return start > lineBreak + 1 ? block : plainly;
}

export function lineBreakIn(units: Units, from: number, to: number): number {
  for (let at = from; at < to; at += 1) if (units.at(at) === lineFeed) return at;
  return -1;
}

/** The parenthesis of a call, `setToken("…")`, whose arguments are a list but for those of a method of the field. */
export function callOpened(units: Units, end: number, at: number): Operator {
  let from = at;
  while (from > end && ofNames.has(units.at(from - 1))) from -= 1;
  const isMethod = from < at && from > end && units.at(from - 1) === dot;
  return operatorAt(at + 1, isMethod ? plainly : list);
}
