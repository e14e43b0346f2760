import { isRoundNumber } from '../checks/round-number.js';
import type { PiiSpan, Recognizer } from '../entities.js';

/** Nine digits, or, since 2021, a letter and eight. */
const numbers = /(?<![\w]|\d[.-])[A-Z0-9]\d{8}(?![\w]|[.-]\d)/gi;
const isLettered = (written: string): boolean => /^\D/.test(written);

/**
 * A United States passport's number. It has no check digit, so only the words before it decide. A count has
 * no letter, so the new form needs only a word like `travel`, not `passport`. The reference also accepts `us`
 * and `states`, anywhere inside a word; they prove nothing and are omitted.
 */
export const usPassport: Recognizer = {
  entity: 'US_PASSPORT',
  context: {
    supports: ['passport*', 'travel*'],
    demands: { isFit: isLettered, naming: { supports: ['passport*'] } },
  },
  mayOccurIn: ({ digits }) => digits >= 8,
  find,
};

function find(text: string): PiiSpan[] {
  return [...text.matchAll(numbers)]
    .filter(([written]) => isLettered(written) || !isRoundNumber(written))
    .map(({ 0: written, index }) => ({
      type: 'US_PASSPORT',
      start: index,
      end: index + written.length,
      score: isLettered(written) ? 0.1 : 0.05,
    }));
}
