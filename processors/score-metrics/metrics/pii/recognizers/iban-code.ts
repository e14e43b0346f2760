import { countrySpecs, isValidIBAN } from 'ibantools';
import type { PiiSpan, Recognizer } from '../entities.js';

/** Only if a country code and two check digits start a word: the country's length decides everything else. */
const beginnings = /(?<![\w])(?:[A-Z]{2}|[a-z]{2})\d{2}(?=[ -]?[A-Za-z0-9])/g;

/** An account number by ISO 13616: the country's length and format, and the check modulo 97. */
export const ibanCode: Recognizer = {
  entity: 'IBAN_CODE',
  context: { supports: ['iban*', 'bank*', 'account*', 'transfer*', 'transaction*'] },
  mayOccurIn: ({ digits }) => digits >= 4,
  find,
};

function find(text: string): PiiSpan[] {
  const found: PiiSpan[] = [];
  for (const match of text.matchAll(beginnings)) {
    const end = endOfIban(text, match.index);
    if (end !== null) found.push({ type: 'IBAN_CODE', start: match.index, end, score: 1 });
  }
  return found;
}

/**
 * Takes as many letters and digits as the country's numbers have, with single separators of one kind between
 * them. If the country code is in small letters, the text is in lower case, so all letters must be small.
 */
function endOfIban(text: string, start: number): number | null {
  const length = countrySpecs[text.slice(start, start + 2).toUpperCase()]?.chars ?? null;
  if (length === null) return null;
  const separator = /[ -]/.exec(text.slice(start, start + length))?.[0];
  const allowed = /[A-Z]/.test(text.charAt(start)) ? /[A-Z0-9]/ : /[a-z0-9]/;
  let compact = '';
  let end = start;
  for (; end < text.length && compact.length < length; end++) {
    const unit = text.charAt(end);
    if (allowed.test(unit)) compact += unit;
    else if (unit !== separator || text.charAt(end - 1) === separator) return null;
  }
  const closed = !/[A-Za-z0-9]/.test(text.charAt(end));
  return closed && compact.length === length && isValidIBAN(compact.toUpperCase()) ? end : null;
}
