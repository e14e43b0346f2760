import { readLexicon } from '../../lexicons/read-lexicon.js';

/**
 * The classes of a character in the reference implementations: Python 3.11, Unicode 14.0. These are our own
 * tables, not JavaScript's `\w`, `\s`, `\d`. Those are ASCII or differ (U+FEFF, U+001C), and change with each
 * version of Node, so the same text would get other values on another machine.
 */
export const isWord = 1;
export const isSpace = 2;
export const isDigit = 4;
export const isUpper = 8;
/** Lower or title case: either of them makes a word not upper case. */
export const isNotUpper = 16;
export const isUnassigned = 32;

const flags: Readonly<Record<string, number>> = {
  word: isWord,
  space: isSpace,
  digit: isDigit,
  upper: isUpper,
  lower: isNotUpper,
  title: isNotUpper,
  unassigned: isUnassigned,
};

function readClasses(): Uint8Array {
  const classes = new Uint8Array(0x110000);
  for (const line of readLexicon('unicode-14.txt')) {
    const [name = '', ranges = ''] = line.split(' ');
    const flag = flags[name];
    if (flag === undefined) continue;
    for (const range of ranges.split(',')) {
      const [first = '', last = first] = range.split('-');
      const end = parseInt(last, 16);
      for (let code = parseInt(first, 16); code <= end; code += 1)
        classes[code] = (classes[code] ?? 0) | flag;
    }
  }
  return classes;
}

const classes = readClasses();

/** The flags of a code point. */
export function classOf(codePoint: number): number {
  return classes[codePoint] ?? 0;
}

/** How many UTF-16 units a code point takes. */
export function unitsOf(codePoint: number): 1 | 2 {
  return codePoint > 0xffff ? 2 : 1;
}
