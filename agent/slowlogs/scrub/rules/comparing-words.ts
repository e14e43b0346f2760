import { codeAt } from '../code-at.js';
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
export function comparedInWords(plain: string, at: number, wide: number): Operator | null {
  if (!beginnings.has(codeAt(plain, at)) || !seconds.has(codeAt(plain, at + 1))) return null;
  const end = skip(plain, letters, at, longestWord);
  const word = plain.slice(at, end);
  if (said.has(word)) return wide <= 4 ? markBehind(plain, end, 4, plainly) : null;
  if (word.toLowerCase() !== 'not') return compared(plain, word, end);
  const next = skip(plain, blanks, end, 4);
  const nextEnd = skip(plain, letters, next, longestWord);
  return next === end ? null : compared(plain, plain.slice(next, nextEnd), nextEnd);
}

function compared(plain: string, written: string, end: number): Operator | null {
  const word = written.toLowerCase();
  const isBetween = word === 'between';
  const isIn = word === 'in';
  if (!isBetween && !isIn && !likes.has(word)) return null;
  const behind = !isBetween && codeAt(plain, end) === tilde ? end + 1 : end;
  const opening = skip(plain, blanks, behind, 4);
  if (codeAt(plain, opening) !== openParenthesis)
    return markBehind(plain, behind, 8, isBetween ? between : plainly);
  const isList = isIn || marks.has(codeAt(plain, opening + 1));
  return markBehind(plain, opening + 1, 4, formOf(isBetween, isList));
}

function formOf(isBetween: boolean, isList: boolean): Form {
  if (isBetween) return isList ? betweenInList : between;
  return isList ? list : plainly;
}
