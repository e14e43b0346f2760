import { validate } from 'bitcoin-address-validation';
import type { PiiSpan, Recognizer } from '../entities.js';

/**
 * Base58 addresses start with 1 or 3; segregated-witness ones (BIP 173, BIP 350) with bc1, all in one case.
 */
const addresses =
  /\b(?:[13][1-9A-HJ-NP-Za-km-z]{25,34}|bc1[02-9ac-hj-np-z]{11,87}|BC1[02-9AC-HJ-NP-Z]{11,87})\b/g;

/** A Bitcoin address with a valid checksum. */
export const crypto: Recognizer = {
  entity: 'CRYPTO',
  context: { supports: ['wallet*', 'btc', 'bitcoin*', 'crypto*'] },
  mayOccurIn: ({ longestToken, digits }) => longestToken >= 14 && digits > 0,
  find,
};

function find(text: string): PiiSpan[] {
  const found: PiiSpan[] = [];
  for (const match of text.matchAll(addresses)) {
    if (!isAddress(match[0])) continue;
    found.push({ type: 'CRYPTO', start: match.index, end: match.index + match[0].length, score: 1 });
  }
  return found;
}

function isAddress(text: string): boolean {
  try {
    return validate(text);
  } catch {
    return false;
  }
}
