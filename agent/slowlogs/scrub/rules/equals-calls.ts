import type { Units } from '../units.js';
import { isMark } from './quotation-marks.js';
import { Alphabet } from './runs.js';
import { isAt } from './words-at.js';

const ofNames = Alphabet.of('[\\w.-]');
const nameAtMost = 120;
/** What may stand between the parenthesis and the name: `doc[`. */
const beforeNames = Alphabet.of('[^()"\'`\\n]');
const beforeAtMost = 30;
const [openParenthesis, closeBracket] = [40, 93];
const valueOfField = '.value';
const called = 'quals';
const [smallE, capitalE] = [101, 69];

/**
 * Whether the field that ends at a comma is the first argument of a call that compares, `Objects.equals(doc['token'].value,`.
 * It is read from its end by hand: of long names an expression that looks back would try every beginning.
 */
export function isComparedByCall(units: Units, comma: number): boolean {
  if (isArgument(units, comma)) return true;
  return (
    isAt(units, comma - valueOfField.length, valueOfField) && isArgument(units, comma - valueOfField.length)
  );
}

function isArgument(units: Units, end: number): boolean {
  const name = nameStart(units, end);
  if (name === -1) return false;
  let from = isMark(units.at(name - 1)) ? name - 1 : name;
  const least = from - beforeAtMost;
  while (from > least && from > 0 && beforeNames.has(units.at(from - 1))) from -= 1;
  if (units.at(from - 1) !== openParenthesis) return false;
  const first = units.at(from - 2 - called.length);
  return (first === smallE || first === capitalE) && isAt(units, from - 1 - called.length, called);
}

/** Where the name begins of the field that ends at a place, -1 where none does. */
function nameStart(units: Units, end: number): number {
  let at = end;
  if (units.at(at - 1) === closeBracket) at -= 1;
  if (isMark(units.at(at - 1))) at -= 1;
  let from = at;
  while (at - from < nameAtMost && ofNames.has(units.at(from - 1))) from -= 1;
  return from === at ? -1 : from;
}
