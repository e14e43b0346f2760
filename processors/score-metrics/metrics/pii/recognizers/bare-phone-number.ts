import type { PiiSpan, Recognizer } from '../entities.js';
import { phoneContext } from './phone-number.js';

/** Seven to twelve digits in one piece: no separator, no decimal, no currency. */
const runs = /(?<![\w$€£¥#+-]|\d[.,/]|\w\(|[([]\d{1,12}, )\d{7,12}(?![\w%]|[.,/-]\d)/g;

/**
 * A telephone number without separators. Any long number could be one, so only the words before it decide. The
 * reference takes every valid one, including order numbers and times in milliseconds.
 */
export const barePhoneNumber: Recognizer = {
  entity: 'PHONE_NUMBER',
  context: phoneContext,
  mayOccurIn: ({ longestToken, digits }) => longestToken >= 7 && digits >= 7,
  find,
};

function find(text: string): PiiSpan[] {
  return [...text.matchAll(runs)].map((match) => ({
    type: 'PHONE_NUMBER',
    start: match.index,
    end: match.index + match[0].length,
    score: 0.2,
  }));
}
