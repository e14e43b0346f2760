import type { PiiSpan, Recognizer } from '../entities.js';

/** A 9, then the groups that the IRS issues (50-65, 70-88, 90-92, 94-99), with both separators or none. */
const numbers = /(?<![\w]|\d[.-])9\d{2}([- ]?)(?:5\d|6[0-5]|7\d|8[0-8]|9[0-24-9])\1\d{4}(?![\w]|[.-]\d)/g;

/** An Individual Taxpayer Identification Number. */
export const usItin: Recognizer = {
  entity: 'US_ITIN',
  context: { supports: ['itin*', 'taxpayer*', 'tax', 'taxid', 'individual', 'tin'] },
  mayOccurIn: ({ digits }) => digits >= 9,
  find,
};

function find(text: string): PiiSpan[] {
  return [...text.matchAll(numbers)].map((match) => ({
    type: 'US_ITIN',
    start: match.index,
    end: match.index + match[0].length,
    score: match[1] === '' ? 0.3 : 0.5,
  }));
}
