import { parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js/max';
import type { ContextWords, PiiSpan, Recognizer } from '../entities.js';
import { unspacedSource } from '../scripts.js';

/** The regions of the reference whose national numbers start with a trunk 0 or an area code in brackets. */
const trunkRegions: readonly CountryCode[] = ['GB', 'DE', 'FR', 'IL', 'IN', 'BR'];

/** No letter of a word may touch a number, except in a script that is written without spaces. */
const letter = String.raw`(?!${unspacedSource})[\p{L}_]`;
/** What may not follow: more digits, or a part of a date, a decimal or a percentage. */
const continued = String.raw`(?! ?%|\d|[.,:/-]\d)`;
/**
 * Digits with up to three of the usual separators between them, and an extension. Every repetition is
 * bounded. The lookahead comes first, because the lookbehind costs more and would run at every letter.
 */
const candidates = new RegExp(
  String.raw`(?=[+(\d])(?<!${letter}|[\p{N}$€£¥#]|\p{N}[.,:/-])(?:\+ ?|\(\+?|)\d(?:[ .\-/()]{0,3}\d){6,18}${continued}(?:-[A-Z]{4})?(?: ?(?:x|ext\.? ?|extension )\d{1,7})?(?!${letter})`,
  'gu',
);
const extension = / ?(?:x|ext\.? ?|extension )\d{1,7}$/;
const lastGroup = /[^\d]+\d+$/;
/** What may follow a number that is cut out of a longer candidate. */
const closed = new RegExp(`^${continued}`, 'u');
const fewestDigits = 7;
/** Accounts and cards are written in fours: a part of such a row is not a number by itself. */
const inFours = /^\d{4}(?:.\d{4})+$/;
/** Words for digits, as in 1-800-…-HELP: it does not matter which digits they are. */
const keypad = '5';
const northAmerican = /^(?:\+?1[ .-]?)?(?:\(\d{3}\) ?|\d{3}[ .-])\d{3}[ .-]\d{4}$/;
const indianMobile = /^[6-9]\d{4}[ -]\d{5}$/;

/** Grouped numbers that mean something else: dates, times of day, decimals, years, Social Security numbers. */
const otherForms = [
  /^\d{1,2}([./-])\d{1,2}\1(?:19|20)\d{2}/,
  /^(?:19|20)\d{2}([ ./-])\d{1,2}\1\d{1,2}/,
  /^0\.\d+$/,
  /^(?:(?:19|20)\d{2}[ ./-]*){2,}$/,
  /^\d{3}-\d{2}-\d{4}$/,
];

interface Rating {
  readonly score: number;
  readonly proof: number;
}

/** Scores without context: valid, or unmistakable by its form; likely by its form; possible. */
const certain = 0.4;
const likely = 0.3;
const possible = 0.2;

/** A form proves least, a plan more (it may have numbers of many lengths), the plan's own form most. */
const proofs = { form: 0, plan: 1, formOfPlan: 2 };
const unmistakable: Rating = { score: certain, proof: proofs.formOfPlan };
const planned: Rating = { score: certain, proof: proofs.plan };
const formed = (score: number): Rating => ({ score, proof: proofs.form });
const none = formed(0);

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
  candidates.lastIndex = 0;
  for (let match = candidates.exec(text); match !== null; match = candidates.exec(text)) {
    const { length, score } = bestOf(match[0]);
    if (score === 0) continue;
    const end = match.index + length;
    found.push({ type: 'PHONE_NUMBER', start: match.index, end, score });
    candidates.lastIndex = end;
  }
  return found;
}

/**
 * A number may be followed by another one, or by a count, a year or an age. So the whole is taken unless a
 * prefix of it is proven better, by a plan or by a form that only telephone numbers have. The longest of the
 * best is taken.
 */
function bestOf(candidate: string): { readonly length: number; readonly score: number } {
  const whole = ratingOf(candidate.replace(extension, '').replace(/[A-Z]/g, keypad));
  let best = { length: candidate.length, ...whole };
  let written = candidate.replace(extension, '').replace(/-[A-Z]{4}$/, '');
  while (best.proof < proofs.formOfPlan && lastGroup.test(written)) {
    written = written.replace(lastGroup, '');
    if (written.replace(/\D/g, '').length < fewestDigits) break;
    if (inFours.test(written) || !closed.test(candidate.slice(written.length))) continue;
    const rating = ratingOf(written);
    if (rating.proof > best.proof || rating.score > Math.max(best.score, possible))
      best = { length: written.length, ...rating };
  }
  return best;
}

function ratingOf(written: string): Rating {
  const groups = written.match(/\d+/g) ?? [];
  const digits = groups.join('').length;
  if (digits > 15 || otherForms.some((form) => form.test(written))) return none;
  if (/^\(?\+|^00/.test(written)) return ratingOfInternational(written, digits, groups.length);
  if (groups.length < 2) return none;
  if (northAmerican.test(written)) return isValid(written, 'US') ? unmistakable : formed(likely);
  if (indianMobile.test(written) && isValid(written, 'IN')) return unmistakable;
  if (!isGroupedLikePhone(groups, digits)) return none;
  // Pairs alone could be any list of small numbers, although France writes its telephone numbers in pairs.
  if (/^\d\d(?: \d\d)+$/.test(written)) return formed(possible);
  return isOfTrunkRegion(written) ? planned : formed(possible);
}

function ratingOfInternational(written: string, digits: number, groups: number): Rating {
  if (isValid(written.replace(/^\(?00/, '+').replace('(0)', ''))) return unmistakable;
  if (digits < 8) return none;
  return formed(groups > 1 && written.includes('+') ? certain : possible);
}

/** Seven to thirteen digits in two to six groups; only a trunk or country code may be a single digit. */
function isGroupedLikePhone(groups: readonly string[], digits: number): boolean {
  const [first = '', ...others] = groups;
  if (digits > 13 || groups.length > 6 || first.length > 5) return false;
  return others.every(({ length }) => length >= 2 && length <= 7);
}

/** Whether digits in one piece are a number of a plan in the form in which it is dialled within the country. */
export function isPlannedNumber(digits: string): boolean {
  if (/^1?[2-9]\d{2}[2-9]\d{6}$/.test(digits) && isValid(digits, 'US')) return true;
  return (/^[6-9]\d{9}$/.test(digits) && isValid(digits, 'IN')) || isOfTrunkRegion(digits);
}

function isOfTrunkRegion(written: string): boolean {
  return /^[(0]/.test(written) && trunkRegions.some((region) => isValid(written, region));
}

function isValid(written: string, region?: CountryCode): boolean {
  return parsePhoneNumberFromString(written, region)?.isValid() ?? false;
}
