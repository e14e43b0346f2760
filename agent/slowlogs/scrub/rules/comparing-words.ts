import type { Units } from '../units.js';
import {
  between,
  betweenInList,
  list,
  markBehind,
  plainly,
  type Form,
  type Operator,
} from './operator-forms.js';
import { skip } from './reading.js';
import { Alphabet } from './runs.js';

const blanks = Alphabet.of('[ \\t]');
const marks = Alphabet.of('["\'`]');
const letters = Alphabet.of('[A-Za-z]');
const [openParenthesis, tilde] = [40, 126];
const longestWord = 8;

/** Words of prose, as they are; those of queries are read in either case. */
const said: ReadonlySet<string> = new Set(['is', 'was', 'or']);
const likes: ReadonlySet<string> = new Set(['like', 'rlike', 'ilike']);
/** With what each of them begins. */
const beginnings = Alphabet.of('[nrlibwoNRLIB]');
const seconds = Alphabet.of('[snlarieoSNLARIEO]');

/** `token LIKE "…"`, `token not in ("…", "…")`, `token is "…"`, behind so many blanks. */
export function comparedInWords(units: Units, at: number, wide: number): Operator | null {
  if (!beginnings.has(units.at(at)) || !seconds.has(units.at(at + 1))) return null;
  const end = skip(units, letters, at, longestWord);
  const word = units.text.slice(at, end);
  if (said.has(word)) return wide <= 4 ? markBehind(units, end, 4, plainly) : null;
  if (word.toLowerCase() !== 'not') return compared(units, word, end);
  const next = skip(units, blanks, end, 4);
  const nextEnd = skip(units, letters, next, longestWord);
  return next === end ? null : compared(units, units.text.slice(next, nextEnd), nextEnd);
}

function compared(units: Units, written: string, end: number): Operator | null {
  const word = written.toLowerCase();
  const isBetween = word === 'between';
  const isIn = word === 'in';
  if (!isBetween && !isIn && !likes.has(word)) return null;
  const behind = !isBetween && units.at(end) === tilde ? end + 1 : end;
  const opening = skip(units, blanks, behind, 4);
  if (units.at(opening) !== openParenthesis)
    return markBehind(units, behind, 8, isBetween ? between : plainly);
  const isList = isIn || marks.has(units.at(opening + 1));
  return markBehind(units, opening + 1, 4, formOf(isBetween, isList));
}

function formOf(isBetween: boolean, isList: boolean): Form {
  if (isBetween) return isList ? betweenInList : between;
  return isList ? list : plainly;
}
