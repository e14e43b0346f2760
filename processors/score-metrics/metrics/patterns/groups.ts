import { codePointOffsets } from '../pii/code-points.js';
import type { Measure } from '../text/analysed-text.js';
import { isAscii } from '../text/python-strings.js';

/** Names of the groups, in the order in which they are tried. */
export const patternNames = [
  'SSN',
  'credit card number',
  'phone number',
  'mailing address',
  'email address',
] as const;
export type PatternName = (typeof patternNames)[number];

/**
 * Every expression is bounded wherever it could start again at the next character (no `\d+` at the start, no
 * open run before an `@`), so each takes linear time. Digits, spaces and word boundaries are Unicode's.
 */
interface CharacterSets {
  readonly digit: string;
  readonly space: string;
  readonly word: string;
  readonly flags: string;
}

const asciiSpace = '\\t-\\r\\x1c- ';
const ascii: CharacterSets = { digit: '0-9', space: asciiSpace, word: '\\w', flags: '' };
const unicode: CharacterSets = {
  digit: '\\p{Nd}',
  space: `${asciiSpace}\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000`,
  word: '\\p{L}\\p{N}_',
  flags: 'u',
};

type Expressions = Readonly<Record<PatternName, RegExp>>;

function expressionsWith({ digit, space, word, flags }: CharacterSets): Expressions {
  const d = `[${digit}]`;
  const s = `[${space}]`;
  const number = (digits: string): string => `(?<![${word}])${digits}(?![${word}])`;

  // Area, group and serial with one separator. Areas 000, 666 and 9xx, group 00, serial 0000, and numbers
  // that repeat the third digit to the end are never issued.
  const sameToTheEnd = `(?!${d}{2}(${d})([- ]?)\\1{2}\\2\\1{4})`;
  const ssn = number(`${sameToTheEnd}(?!000|666|9${d}{2})${d}{3}([- ]?)(?!00)${d}{2}\\3(?!0000)${d}{4}`);

  // Four or five groups of four, or fifteen digits; no checksum.
  const card = number(`(?:${d}{4}(?:[- ]?${d}{4}){3,4}|${d}{15})`);

  // Three, three and four digits; ten digits; an international number; four and six. In any surroundings.
  const phone = [
    `${d}{3}\\)?[${space}.-]${d}{3}[${space}.-]${d}{4}`,
    '[0-9]{10}',
    '\\+[0-9 ]{11}',
    '[0-9]{4} [0-9]{6}',
  ];

  // A number, an optional point of the compass, a name, and the start of a street type.
  const compass = `(?:${s}+(?:[NS][EW]?|[EW])\\.?)?`;
  const street = '(?:St|Sq|R(?:oa)?d|Ave|B(?:oulevar|lv)d|Dr|C(?:our)?t|L(?:ane|n))';
  const address = `${d}${compass}${s}+[0-9]{0,5}[A-Za-z]+${s}+${street}`;

  const email = "[A-Za-z0-9._+'-]@[A-Za-z0-9.-]+\\.[A-Za-z]{2}";

  const compile = (source: string): RegExp => new RegExp(source, flags);
  return {
    SSN: compile(ssn),
    'credit card number': compile(card),
    'phone number': compile(phone.join('|')),
    'mailing address': compile(address),
    'email address': compile(email),
  };
}

const inAscii = expressionsWith(ascii);
const inUnicode = expressionsWith(unicode);

/** Code-point offsets; `end` is exclusive. */
export interface PatternPlace {
  readonly start: number;
  readonly end: number;
}

interface FoundPattern {
  readonly name: PatternName;
  readonly place: PatternPlace;
}

/** The first group that is found in a text, with its first place; or null. */
export const foundPattern: Measure<FoundPattern | null> = ({ text }) => {
  const expressions = isAscii(text) ? inAscii : inUnicode;
  for (const name of patternNames) {
    const match = expressions[name].exec(text);
    if (match !== null) return { name, place: placeOf(text, match.index, match.index + match[0].length) };
  }
  return null;
};

export const matchedPattern: Measure<PatternName | null> = (text) => text.take(foundPattern)?.name ?? null;

const runBefore = /(?<=([\p{L}\p{N}_.+-]*))/uy;
const runBehind = /[\p{L}\p{N}_]*/uy;

/** The place of the whole: the expressions take one character before an @, one digit of a house number. */
function placeOf(text: string, from: number, to: number): PatternPlace {
  const offset = codePointOffsets(text);
  runBefore.lastIndex = from;
  runBehind.lastIndex = to;
  const before = runBefore.exec(text)?.[1] ?? '';
  const behind = runBehind.exec(text)?.[0] ?? '';
  return { start: offset(from - before.length), end: offset(to + behind.length) };
}
