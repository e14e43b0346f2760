import type { Recognizer } from '../entities.js';
import { barePhoneNumber } from './bare-phone-number.js';
import { creditCard } from './credit-card.js';
import { crypto } from './crypto.js';
import { emailAddress } from './email-address.js';
import { ibanCode } from './iban-code.js';
import { ipAddress } from './ip-address.js';
import { medicalLicense } from './medical-license.js';
import { phoneNumber } from './phone-number.js';
import { url } from './url.js';
import { usBankNumber } from './us-bank-number.js';
import { usDriverLicense } from './us-driver-license.js';
import { usItin } from './us-itin.js';
import { usPassport } from './us-passport.js';
import { usSsn } from './us-ssn.js';

/** Every recognizer of the clean mode. Telephone numbers have two. */
export const recognizers: readonly Recognizer[] = [
  creditCard,
  crypto,
  emailAddress,
  ibanCode,
  ipAddress,
  phoneNumber,
  barePhoneNumber,
  medicalLicense,
  url,
  usBankNumber,
  usDriverLicense,
  usItin,
  usPassport,
  usSsn,
];
