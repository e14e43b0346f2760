import { isLetter, LetterTrie, placeOf } from '../letter-trie.js';
import type { Units } from '../units.js';

/** Letters begin a name; digits, `_`, `.` and `-` may follow. What is not ASCII is in none. */
const begins = 1;
const goesOn = 2;
const kinds = new Uint8Array(128);
for (let code = 0; code < 128; code += 1) {
  const letter = String.fromCharCode(code);
  if (/[A-Za-z]/.test(letter)) kinds[code] = begins | goesOn;
  else if (/[\w.-]/.test(letter)) kinds[code] = goesOn;
}

/** Where the next name begins, -1 where there is none. Read by hand: an expression takes ten times as long. */
export function nextName(units: Units, from: number): number {
  for (let at = from; at < units.length; at += 1) {
    const code = units.at(at);
    if (code < 128 && (kinds[code] ?? 0) & begins) return at;
  }
  return -1;
}

const longest = 121;

/** Behind the last character of the name that begins at a place. */
export function nameEnd(units: Units, at: number): number {
  const limit = Math.min(units.length, at + longest);
  let end = at + 1;
  while (end < limit) {
    const code = units.at(end);
    if (code >= 128 || !((kinds[code] ?? 0) & goesOn)) break;
    end += 1;
  }
  return end;
}

const isBlank = (code: number): boolean => code === 32 || code === 9;

/** Last words of names of several, `API key`, that say little alone. */
const lastWords = new LetterTrie();
for (const word of 'key keys id phrase string code codes url login'.split(' ')) lastWords.add(word, 1);

function isLastWord(units: Units, at: number, end: number): boolean {
  let node = lastWords.root;
  for (let next = at; next < end; next += 1) {
    const place = placeOf(units.at(next));
    node = place < 0 ? lastWords.none : lastWords.next(node, place);
    if (node === lastWords.none) return false;
  }
  return lastWords.markOf(node) !== 0;
}

/** Where a name begins, with the word before it where it says little alone. */
export function spokenFrom(units: Units, at: number, end: number): number {
  if (!isBlank(units.at(at - 1)) || !isLastWord(units, at, end)) return at;
  const blank = isBlank(units.at(at - 2)) ? at - 2 : at - 1;
  let from = blank;
  while (blank - from < 20 && isLetter(units.at(from - 1))) from -= 1;
  return blank - from < 2 ? at : from;
}
