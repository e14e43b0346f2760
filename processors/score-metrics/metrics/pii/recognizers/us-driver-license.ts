import { isRoundNumber } from '../checks/round-number.js';
import type { PiiSpan, Recognizer } from '../entities.js';

/**
 * The formats of the states' licences, one pattern per line: A for a letter, 9 for a digit, `{from,to}` for a
 * count. Published by the states' motor vehicle agencies. Nearly any short code fits one of them, so only the
 * words before a code decide.
 */
const lettered = [
  'A9{3,14}',
  'A9{18}',
  'A9{6}A',
  'AA9{3,7}',
  'AA9{6}A',
  'AAA9{6}',
  'A9A9A',
  '9{2}AAA9{5,6}',
  '9{3}AA9{4}',
  '9{7,9}A',
  '9{8}AA',
  'A{1,5}9{3}AA9{2}',
  'A9{3}-9{3}-9{2}-9{3}-9',
  'A9{4}-9{5}-9{5}',
  'A9{3}-9{4}-9{4}',
  '9{3}-9{2}-9{4}',
];
const expression = lettered.map((form) =>
  form
    .replaceAll('9{', '\\d{')
    .replaceAll('A', '[A-Z]')
    .replaceAll(/9(?!\d*})/g, '\\d'),
);
const codes = new RegExp(`(?<![\\w-])(?:${expression.join('|')})(?![\\w-])`, 'gi');
const numbers = /(?<![\w$€£¥-]|\d[.,])(?:\d{6,14}|\d{16})(?![\w%-]|[.,]\d)/g;

/**
 * A driver's licence of one of the United States. Words that go with a licence (`driver`, `permit`) also mean
 * software and verbs, so the licence itself must be named.
 */
export const usDriverLicense: Recognizer = {
  entity: 'US_DRIVER_LICENSE',
  context: {
    supports: ['licen*', 'dl', 'dmv'],
    opposes: ['phone*', 'card*', 'account*', 'passport*', 'plate*', 'medical', 'software'],
  },
  mayOccurIn: ({ digits }) => digits >= 3,
  find,
};

function find(text: string): PiiSpan[] {
  return [
    ...spans(text, codes, 0.3),
    ...spans(text, numbers, 0.01).filter(({ start, end }) => !isRoundNumber(text.slice(start, end))),
  ];
}

function spans(text: string, pattern: RegExp, score: number): PiiSpan[] {
  return [...text.matchAll(pattern)].map((match) => ({
    type: 'US_DRIVER_LICENSE',
    start: match.index,
    end: match.index + match[0].length,
    score,
  }));
}
