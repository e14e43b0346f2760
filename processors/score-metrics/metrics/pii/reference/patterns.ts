import { passesDeaCheck } from '../checks/dea.js';
import { passesLuhn } from '../checks/luhn.js';
import type { PiiEntity, PiiSpan } from '../entities.js';
import { ibanCode } from '../recognizers/iban-code.js';
import { ipAddress } from '../recognizers/ip-address.js';
import { crypto } from '../recognizers/crypto.js';
import { referencePhoneNumbers } from './phone-numbers.js';
import { referenceUrls } from './urls.js';

/** An entity as the reference searches for it: every match of every pattern, however low its score. */
export interface ReferenceRecognizer {
  readonly entity: PiiEntity;
  /** Searched inside the five words before a span: `lic` is found in `public`, as in the reference. */
  readonly context: readonly string[];
  readonly find: (text: string) => readonly PiiSpan[];
}

type Scored = readonly [pattern: RegExp, score: number];

function matches(
  type: PiiEntity,
  patterns: readonly Scored[],
  scoreOf: (match: string, score: number) => number = (_, score) => score,
): (text: string) => PiiSpan[] {
  return (text) =>
    patterns.flatMap(([pattern, base]) =>
      [...text.matchAll(pattern)].flatMap((match) => {
        const score = scoreOf(match[0], base);
        return score === 0 ? [] : [{ type, start: match.index, end: match.index + match[0].length, score }];
      }),
    );
}

const digitsOf = (match: string): string => match.replace(/\D/g, '');

/** No sample numbers, no zero groups, no areas 000 and 666, one kind of separator. */
function scoreOfSsn(match: string, score: number): number {
  const separators = new Set(match.match(/\D/g));
  const digits = digitsOf(match);
  if (separators.size > 1 || /^(\d)\1*$/.test(digits)) return 0;
  if (digits.slice(3, 5) === '00' || digits.slice(5) === '0000') return 0;
  return /^(?:000|666|123456789|98765432|078051120)/.test(digits) ? 0 : score;
}

const itinGroup = '(?:5\\d|6[0-5]|7\\d|8[0-8]|9[0-24-9])';
/** Letter and digit counts of licences, as in the clean mode, but down to one digit: `A14` and `h1` match. */
const licence =
  /\b(?:[A-Z]\d{1,14}|[A-Z]\d{18}|[A-Z]{2}\d{3,7}|[A-Z]{1,2}\d{6}[A-Z]|\d{2}[A-Z]{3}\d{5,6}|\d{7,9}[A-Z]|\d{8}[A-Z]{2}|\d{3}[A-Z]{2}\d{4}|[A-Z]\d[A-Z]\d[A-Z])\b/gi;

/** The reference's own, in its order, which decides between spans of one offset and score. */
export const referenceRecognizers: readonly ReferenceRecognizer[] = [
  {
    entity: 'CREDIT_CARD',
    context: 'credit card visa mastercard cc amex discover jcb diners maestro instapayment'.split(' '),
    find: matches(
      'CREDIT_CARD',
      [[/\b(?!1\d{12}(?!\d))(?:[1346]\d|5[0-5])\d{2}[- ]?\d{3,4}[- ]?\d{3,4}[- ]?\d{3,5}\b/g, 0.3]],
      (match) => (passesLuhn(digitsOf(match)) ? 1 : 0),
    ),
  },
  { entity: 'CRYPTO', context: ['wallet', 'btc', 'bitcoin', 'crypto'], find: crypto.find },
  { entity: 'IBAN_CODE', context: ['iban', 'bank', 'transaction'], find: ibanCode.find },
  { entity: 'IP_ADDRESS', context: ['ip', 'ipv4', 'ipv6'], find: ipAddress.find },
  {
    entity: 'PHONE_NUMBER',
    context: 'phone number telephone cell cellphone mobile call'.split(' '),
    find: referencePhoneNumbers,
  },
  {
    entity: 'MEDICAL_LICENSE',
    context: ['medical', 'certificate', 'dea'],
    find: matches('MEDICAL_LICENSE', [[/\b[A-HJ-MPR-UX][A-Z9]\d{7}\b/gi, 0.4]], (match) =>
      passesDeaCheck(match) ? 1 : 0,
    ),
  },
  { entity: 'URL', context: ['url', 'website', 'link'], find: referenceUrls },
  {
    entity: 'US_PASSPORT',
    context: 'us united states passport travel document'.split(' '),
    find: matches('US_PASSPORT', [
      [/\b\d{9}\b/g, 0.05],
      [/\b[A-Z]\d{8}\b/gi, 0.1],
    ]),
  },
  {
    entity: 'US_SSN',
    context: 'social security ssn ssns ssid'.split(' '),
    find: matches(
      'US_SSN',
      [
        [/\b(?:\d{5}-\d{4}|\d{3}-\d{6}|\d{9})\b/g, 0.05],
        [/\b\d{3}[- .]\d{2}[- .]\d{4}\b/g, 0.5],
      ],
      scoreOfSsn,
    ),
  },
  {
    entity: 'US_ITIN',
    context: 'individual taxpayer itin tax payer taxid tin'.split(' '),
    find: matches('US_ITIN', [
      [new RegExp(`\\b9\\d{2}(?:[- ]${itinGroup}|${itinGroup}[- ])\\d{4}\\b`, 'g'), 0.05],
      [new RegExp(`\\b9\\d{2}${itinGroup}\\d{4}\\b`, 'g'), 0.3],
      [new RegExp(`\\b9\\d{2}[- ]${itinGroup}[- ]\\d{4}\\b`, 'g'), 0.5],
    ]),
  },
  {
    entity: 'US_BANK_NUMBER',
    context: 'check account acct bank save debit'.split(' '),
    find: matches('US_BANK_NUMBER', [[/\b\d{8,17}\b/g, 0.05]]),
  },
  {
    entity: 'US_DRIVER_LICENSE',
    context: 'driver license permit lic identification dls cdls driving'.split(' '),
    find: matches('US_DRIVER_LICENSE', [
      [licence, 0.3],
      [/\b(?:\d{6,14}|\d{16})\b/g, 0.01],
    ]),
  },
];
