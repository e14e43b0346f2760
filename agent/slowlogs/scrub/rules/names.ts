import { codeAt } from '../code-at.js';
import { isLetter, LetterTrie, placeOf } from '../letter-trie.js';

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
export function nextName(plain: string, from: number): number {
  for (let at = from; at < plain.length; at += 1) {
    const code = codeAt(plain, at);
    if (code < 128 && (kinds[code] ?? 0) & begins) return at;
  }
  return -1;
}

const longest = 121;

/** Behind the last character of the name that begins at a place. */
export function nameEnd(plain: string, at: number): number {
  const limit = Math.min(plain.length, at + longest);
  let end = at + 1;
  while (end < limit) {
    const code = codeAt(plain, end);
    if (code >= 128 || !((kinds[code] ?? 0) & goesOn)) break;
    end += 1;
  }
  return end;
}

const isBlank = (code: number): boolean => code === 32 || code === 9;

/** Last words of names of several, `API key`, that say little alone. */
const lastWords = new LetterTrie();
for (const word of 'key keys id phrase string code codes url login'.split(' ')) lastWords.add(word, 1);

function isLastWord(plain: string, at: number, end: number): boolean {
  let node = lastWords.root;
  for (let next = at; next < end; next += 1) {
    const place = placeOf(codeAt(plain, next));
    node = place < 0 ? lastWords.none : lastWords.next(node, place);
    if (node === lastWords.none) return false;
  }
  return lastWords.markOf(node) !== 0;
}

/** Where a name begins, with the word before it where it says little alone. */
export function spokenFrom(plain: string, at: number, end: number): number {
  if (!isBlank(codeAt(plain, at - 1)) || !isLastWord(plain, at, end)) return at;
  const blank = isBlank(codeAt(plain, at - 2)) ? at - 2 : at - 1;
  let from = blank;
  while (blank - from < 20 && isLetter(codeAt(plain, from - 1))) from -= 1;
  return blank - from < 2 ? at : from;
}
