import { parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js/max';
import type { ContextWords, PiiSpan, Recognizer } from '../entities.js';

/** The regions of the reference whose national numbers begin with a trunk 0 or an area in brackets. */
const trunkRegions: readonly CountryCode[] = ['GB', 'DE', 'FR', 'IL', 'IN', 'BR'];

/** Digits with up to three of the usual separators between them, and an extension. Every repetition is bounded. */
const candidates =
  /(?<![\p{L}\p{N}_$€£¥#]|\p{N}[.,:/-])(?:\+ ?|\(\+?|)\d(?:[ .\-/()\u00a0]{0,3}\d){6,18}(?! ?%|\d|[.,:/-]\d)(?:-[A-Z]{4})?(?: ?(?:x|ext\.? ?|extension )\d{1,7})?(?![\p{L}_])/gu;
const extension = / ?(?:x|ext\.? ?|extension )\d{1,7}$/;
/** Words for digits, as in 1-800-…-HELP: it does not matter which digits they are. */
const keypad = '5';
const northAmerican = /^(?:\+?1[ .-]?)?(?:\(\d{3}\) ?|\d{3}[ .-])\d{3}[ .-]\d{4}$/;
const indianMobile = /^[6-9]\d{4}[ -]\d{5}$/;

/** Grouped numbers that mean something else: dates, times of day, years, Social Security numbers. */
const otherForms = [
  /^\d{1,2}([./-])\d{1,2}\1(?:19|20)\d{2}/,
  /^(?:19|20)\d{2}([ ./-])\d{1,2}\1\d{1,2}/,
  /^(?:(?:19|20)\d{2}[ ./-]*){2,}$/,
  /^\d{3}-\d{2}-\d{4}$/,
];

/** Scores without context: valid or unmistakable by its form, likely by its form, possible. */
const certain = 0.4;
const likely = 0.3;
const possible = 0.2;

export const phoneContext: ContextWords = {
  supports: (
    'phone* telephone* tel cell* mobile* call* dial* fax* sms whatsapp contact* reach* hotline* helpline* ' +
    'message* answering answer* ring ringing voicemail* landline* tollfree toll extension'
  ).split(' '),
  labels: 'office desk line text work home direct main t f m p ph tf mob'.split(' '),
  opposes: (
    'account* card* order* serial invoice* tracking ticket* reference ref case isbn id passport* licen* tax version* ' +
    'iban policy ssn itin zip postal year* date*'
  ).split(' '),
};

/** A telephone number in groups or with a country code, valid in the numbering plans of the reference's regions. */
export const phoneNumber: Recognizer = {
  entity: 'PHONE_NUMBER',
  context: { ...phoneContext, hints: ['number', 'no', 'nr'] },
  mayOccurIn: ({ digits }) => digits >= 7,
  find,
};

function find(text: string): PiiSpan[] {
  const found: PiiSpan[] = [];
  for (const match of text.matchAll(candidates)) {
    const score = scoreOf(match[0].replace(extension, '').replace(/[A-Z]/g, keypad));
    if (score > 0) {
      const end = match.index + match[0].length;
      found.push({ type: 'PHONE_NUMBER', start: match.index, end, score });
    }
  }
  return found;
}

function scoreOf(written: string): number {
  const groups = written.match(/\d+/g) ?? [];
  const digits = groups.join('').length;
  if (digits > 15 || otherForms.some((form) => form.test(written))) return 0;
  if (/^\(?\+|^00/.test(written)) return scoreOfInternational(written, digits, groups.length);
  if (groups.length < 2) return 0;
  if (northAmerican.test(written)) return isValid(written, 'US') ? certain : likely;
  if (indianMobile.test(written) && isValid(written, 'IN')) return certain;
  if (!isGroupedLikePhone(groups, digits)) return 0;
  // Pairs alone could be any list of small numbers, although France writes its telephone numbers so.
  if (/^\d\d(?: \d\d)+$/.test(written)) return possible;
  if (/^[(0]/.test(written) && trunkRegions.some((region) => isValid(written, region))) return certain;
  return possible;
}

function scoreOfInternational(written: string, digits: number, groups: number): number {
  if (isValid(written.replace(/^\(?00/, '+').replace('(0)', ''))) return certain;
  if (digits < 8) return 0;
  return groups > 1 && written.includes('+') ? certain : possible;
}

/**
 * Seven to thirteen digits in two to six groups, none a single digit except a trunk or country code at the beginning.
 */
function isGroupedLikePhone(groups: readonly string[], digits: number): boolean {
  const [first = '', ...others] = groups;
  if (digits > 13 || groups.length > 6 || first.length > 5) return false;
  return others.every(({ length }) => length >= 2 && length <= 7);
}

function isValid(written: string, region?: CountryCode): boolean {
  return parsePhoneNumberFromString(written, region)?.isValid() ?? false;
}
