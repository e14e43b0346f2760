import { findPhoneNumbersInText, type CountryCode } from 'libphonenumber-js/max';
import type { PiiSpan } from '../entities.js';

const regions: readonly CountryCode[] = ['US', 'GB', 'DE', 'FR', 'IL', 'IN', 'CA', 'BR'];

/** Where a number could be: digits with little except punctuation between them, and the character before. */
const neighbourhoods = /.?[+(]{0,2}\d(?:[ .\-/()~\u00a0]{0,4}\d){6,40}(?: ?(?:x|ext\.? ?)\d{1,7})?.?/gu;

/**
 * The matcher tries every way to split a row of digits, in every region. The reference stops after a number
 * of tries of its own. A text with more matches than this is a table of numbers.
 */
const mostMatches = 256;

/** Every number that is valid in a region, one region after another, as the reference's matcher returns them. */
export function referencePhoneNumbers(text: string): PiiSpan[] {
  const matches = [...text.matchAll(neighbourhoods)]
    .filter(([match]) => /\d\d/.test(match))
    .slice(0, mostMatches);
  const found = new Map<string, PiiSpan>();
  for (const region of regions) {
    for (const match of matches) {
      for (const { startsAt, endsAt, number } of findPhoneNumbersInText(match[0], region)) {
        if (!hasItsTrunkPrefix(match[0].slice(startsAt, endsAt), number.formatNational(), region)) continue;
        const [start, end] = [match.index + startsAt, match.index + endsAt];
        found.set(`${start}-${end}`, { type: 'PHONE_NUMBER', start, end, score: 0.4 });
      }
    }
  }
  return [...found.values()];
}

/** The reference rejects a national number without the 0 that its country writes; India's can omit it. */
function hasItsTrunkPrefix(written: string, national: string, region: CountryCode): boolean {
  if (region === 'IN' || written.includes('+')) return true;
  return !/^\D*0/.test(national) || /^\D*0/.test(written);
}
