import type { PiiSpan, Recognizer } from '../entities.js';

/** Nine digits, or, since 2021, a letter and eight. */
const numbers = /(?<![\w]|\d[.-])[A-Z0-9]\d{8}(?![\w]|[.-]\d)/gi;

/**
 * A United States passport's number. It has no check digit, so only the words before it decide. The reference also
 * accepts `us` and `states` as such words, anywhere inside a word: they are left out, because they prove nothing.
 */
export const usPassport: Recognizer = {
  entity: 'US_PASSPORT',
  context: { supports: ['passport*', 'travel*'] },
  mayOccurIn: ({ digits }) => digits >= 8,
  find,
};

function find(text: string): PiiSpan[] {
  return [...text.matchAll(numbers)].map((match) => ({
    type: 'US_PASSPORT',
    start: match.index,
    end: match.index + match[0].length,
    score: /^\D/.test(match[0]) ? 0.1 : 0.05,
  }));
}
