import { LetterTrie, placeOf } from '../letter-trie.js';
import type { Units } from '../units.js';
import {
  between,
  betweenInList,
  list,
  markBehind,
  operatorAt,
  plainly,
  type Form,
  type Operator,
} from './operator-forms.js';
import { behindBlanks } from './blanks.js';
import { skip } from './reading.js';
import { Alphabet } from './runs.js';

const blanks = Alphabet.of('[ \\t]');
const marks = Alphabet.of('["\'`]');
const letters = Alphabet.of('[A-Za-z]');
const [openParenthesis, smallA, tilde] = [40, 97, 126];
const longestWord = 8;
/** Line breaks too. */
const blanksInList = 40;

/** Words of prose, as they are; those of queries are read in either case. */
const [said, like, isIn, isBetween, not] = [1, 2, 4, 8, 16];
const words = new LetterTrie();
for (const [mark, list] of [
  [said, 'is was or'],
  [like, 'like rlike ilike regex regexp'],
  [isIn, 'in'],
  [isBetween, 'between'],
  [not, 'not'],
] as const)
  for (const word of list.split(' ')) words.add(word, mark);

/** What the word between two places is, 0 where it is none of these. */
function markOf(units: Units, from: number, to: number): number {
  let node = words.root;
  for (let at = from; at < to; at += 1) {
    node = words.next(node, placeOf(units.at(at)));
    if (node === words.none) return 0;
  }
  return words.markOf(node);
}

/** `token LIKE "…"`, `token not in ("…", "…")`, `token is "…"`, behind so many blanks. */
export function comparedInWords(units: Units, at: number, wide: number): Operator | null {
  const end = skip(units, letters, at, longestWord);
  const mark = markOf(units, at, end);
  if (mark === 0) return null;
  if (mark === said) return wide <= 4 && isSmall(units, at, end) ? markBehind(units, end, 4, plainly) : null;
  if (mark !== not) return compared(units, mark, end);
  const next = skip(units, blanks, end, 4);
  const nextEnd = skip(units, letters, next, longestWord);
  return next === end ? null : compared(units, markOf(units, next, nextEnd), nextEnd);
}

function isSmall(units: Units, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) if (units.at(at) < smallA) return false;
  return true;
}

function compared(units: Units, mark: number, end: number): Operator | null {
  if ((mark & (like | isIn | isBetween)) === 0) return null;
  const form = mark === isBetween ? between : plainly;
  const behind = mark !== isBetween && units.at(end) === tilde ? end + 1 : end;
  const opening = skip(units, blanks, behind, 4);
  if (units.at(opening) !== openParenthesis) return markBehind(units, behind, 8, form);
  const first = behindBlanks(units, opening + 1, blanksInList);
  if (!marks.has(units.at(first))) return null;
  return operatorAt(first, mark === isIn || first === opening + 1 ? inList(form) : form);
}

const inList = (form: Form): Form => (form === between ? betweenInList : list);
