import { passesDeaCheck } from '../checks/dea.js';
import type { PiiSpan, Recognizer } from '../entities.js';

/** A registrant's type, the initial of the name or a 9 for a business, seven digits: 21 CFR 1301 registrations. */
const registrations = /\b[A-HJ-MPR-UX][A-Z9]\d{7}\b/g;

/** A DEA registration with a valid check digit. */
export const medicalLicense: Recognizer = {
  entity: 'MEDICAL_LICENSE',
  context: { supports: ['medical', 'certificate*', 'dea', 'prescri*', 'physician*'] },
  mayOccurIn: ({ digits }) => digits >= 7,
  find,
};

function find(text: string): PiiSpan[] {
  const found: PiiSpan[] = [];
  for (const match of text.matchAll(registrations)) {
    if (!passesDeaCheck(match[0])) continue;
    found.push({ type: 'MEDICAL_LICENSE', start: match.index, end: match.index + match[0].length, score: 1 });
  }
  return found;
}
