import type { Units } from '../units.js';
import { behindBlanks } from './blanks.js';
import { isNumberAt } from './call-arguments.js';
import { comparedInWords } from './comparing-words.js';
import { operatorAt, plainly, type Operator } from './operator-forms.js';
import { isMark } from './quotation-marks.js';
import { Alphabet } from './runs.js';

const [equals, tilde] = [61, 126];
const signs = Alphabet.of('[=!<>]');
const words = Alphabet.of('[ilnrbILNRB]');
const blanksAtMost = 60;
/** So far from the name no word of prose compares. */
const farFromName = 5;

/** Whether what compares a field may stand on the line below its name, as queries are laid out. */
export function mayFollowOnNextLine(units: Units, end: number): boolean {
  const at = behindBlanks(units, end, blanksAtMost);
  return words.has(units.at(at)) || isSignAt(units, at);
}

/** The operator there, null where none is, or neither a quotation mark nor a number follows. */
export function onNextLine(units: Units, end: number): Operator | null {
  const at = behindBlanks(units, end, blanksAtMost);
  if (!isSignAt(units, at)) return comparedInWords(units, at, farFromName);
  const value = behindBlanks(units, at + 2, blanksAtMost);
  return isMark(units.at(value)) || isNumberAt(units, value) ? operatorAt(value, plainly) : null;
}

/** `==`, `!=`, `<=`, `>=`, `=~` */
function isSignAt(units: Units, at: number): boolean {
  if (!signs.has(units.at(at))) return false;
  return units.at(at + 1) === equals || (units.at(at) === equals && units.at(at + 1) === tilde);
}
