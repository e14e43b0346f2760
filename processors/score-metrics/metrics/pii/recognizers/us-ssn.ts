import type { PiiSpan, Recognizer } from '../entities.js';

/** Three, two and four digits with one kind of separator, or nine digits. */
const numbers = /(?<![\w]|[\d][.-])(\d{3})(?:([- .])(\d{2})\2(\d{4})|(\d{2})(\d{4}))(?![\w]|[.-]\d)/g;

/** Numbers from advertisements or sample cards, which never belonged to anybody. */
const specimens = new Set(['078051120', '123456789', '219099999', '457555462', '987654321']);

/** A Social Security number: no area 000, 666 or 900 and above, no group 00, no serial 0000. */
export const usSsn: Recognizer = {
  entity: 'US_SSN',
  context: { supports: ['ssn*', 'ss', 'social', 'security', 'ssid'] },
  mayOccurIn: ({ digits }) => digits >= 9,
  find,
};

function find(text: string): PiiSpan[] {
  const found: PiiSpan[] = [];
  for (const match of text.matchAll(numbers)) {
    const digits = match[0].replace(/\D/g, '');
    if (!couldBeIssued(digits)) continue;
    const score = match[2] === undefined ? 0.05 : 0.5;
    found.push({ type: 'US_SSN', start: match.index, end: match.index + match[0].length, score });
  }
  return found;
}

function couldBeIssued(digits: string): boolean {
  const [area, group, serial] = [digits.slice(0, 3), digits.slice(3, 5), digits.slice(5)];
  if (area === '000' || area === '666' || area >= '900' || group === '00' || serial === '0000') return false;
  return !/^(\d)\1{8}$/.test(digits) && !specimens.has(digits);
}
