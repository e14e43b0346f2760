import { passesLuhn } from '../checks/luhn.js';
import type { PiiSpan, Recognizer } from '../entities.js';

/** The ranges of the issuers (ISO/IEC 7812 issuer numbers, as the networks publish them) and their lengths. */
const issuers: readonly { readonly begins: RegExp; readonly lengths: readonly number[] }[] = [
  { begins: /^4/, lengths: [13, 16, 19] },
  { begins: /^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, lengths: [16] },
  { begins: /^3[47]/, lengths: [15] },
  { begins: /^(?:30[0-59]|3[689])/, lengths: [14, 16, 17, 18, 19] },
  { begins: /^(?:6011|64[4-9]|65|62|81|82|60|508)/, lengths: [16, 17, 18, 19] },
  { begins: /^35/, lengths: [16, 17, 18, 19] },
  { begins: /^(?:2131|1800)/, lengths: [15] },
  { begins: /^1/, lengths: [15] },
  { begins: /^(?:5[0678]|6[0-9]|0604)/, lengths: [12, 13, 14, 15, 16, 17, 18, 19] },
  { begins: /^(?:220[0-5]|9792)/, lengths: [16, 17, 18, 19] },
];

/** Digits in one piece, or in groups of 3 to 7 with one kind of separator; not in a decimal number. */
const numbers = /(?<![\w]|\d[.,-])\d{4}(?:\d{8,15}|([ -])\d{3,7}(?:\1\d{3,7}){1,4})(?![\w]|[.,-]\d)/g;

/** A number of this length passes all checks by chance about once in thirty. */
const shortest = 13;

/** A payment card's number: an issuer's range, its length, and the Luhn check. */
export const creditCard: Recognizer = {
  entity: 'CREDIT_CARD',
  context: {
    supports: [
      'card*',
      'credit',
      'debit',
      'visa',
      'mastercard',
      'amex',
      'discover',
      'jcb',
      'diners',
      'maestro',
      'cc',
    ],
  },
  mayOccurIn: ({ digits }) => digits >= 12,
  find,
};

function find(text: string): PiiSpan[] {
  const found: PiiSpan[] = [];
  numbers.lastIndex = 0;
  for (let match = numbers.exec(text); match !== null; match = numbers.exec(text)) {
    const number = numberIn(match[0]);
    if (number === null) continue;
    const end = match.index + number.length;
    const score = digitsOf(number).length > shortest ? 1 : 0.6;
    found.push({ type: 'CREDIT_CARD', start: match.index, end, score });
    numbers.lastIndex = end;
  }
  return found;
}

/**
 * The whole, or else the longest prefix that is a number by itself: a code, a year or the next card may
 * follow after a space. A prefix of few digits passes by chance too often.
 */
function numberIn(written: string): string | null {
  if (isCardNumber(digitsOf(written))) return written;
  const groups = written.split(' ');
  for (let count = groups.length - 1; count > 1; count--) {
    const digits = groups.slice(0, count).join('');
    if (digits.length > shortest && isCardNumber(digits)) return groups.slice(0, count).join(' ');
  }
  return null;
}

const digitsOf = (written: string): string => written.replace(/\D/g, '');

function isCardNumber(digits: string): boolean {
  const issued = issuers.some(
    ({ begins, lengths }) => lengths.includes(digits.length) && begins.test(digits),
  );
  return issued && passesLuhn(digits);
}
