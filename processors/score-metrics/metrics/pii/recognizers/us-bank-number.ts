import { isRoundNumber } from '../checks/round-number.js';
import type { PiiSpan, Recognizer } from '../entities.js';

/** Eight to seventeen digits that are not an amount, a decimal or a part of a longer number. */
const numbers = /(?<![\w$€£¥]|[\d][.,-]|[$€£¥]\s)\d{8,17}(?![\w%]|[.,-]\d)/g;

/** A bank account's number, which only the words before it identify. */
export const usBankNumber: Recognizer = {
  entity: 'US_BANK_NUMBER',
  context: {
    supports: ['account*', 'acct*', 'bank*', 'checking', 'savings', 'debit', 'routing'],
    opposes: [
      'card*',
      'order*',
      'invoice*',
      'population',
      'phone*',
      'tracking',
      'passport*',
      'ssn',
      'licen*',
    ],
  },
  mayOccurIn: ({ digits }) => digits >= 8,
  find,
};

function find(text: string): PiiSpan[] {
  const found: PiiSpan[] = [];
  for (const match of text.matchAll(numbers)) {
    if (isRoundNumber(match[0])) continue;
    const span = { start: match.index, end: match.index + match[0].length };
    found.push({ type: 'US_BANK_NUMBER', ...span, score: 0.05 });
  }
  return found;
}
