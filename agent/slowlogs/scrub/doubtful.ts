import { credentialName, credentialNameIn, type CredentialName } from './credential-keys.js';
import { isDigit } from './letter-trie.js';
import { longestName } from './name-letters.js';
import { looksEncoded, looksLikeKey, looksRandom } from './randomness.js';
import type { Units } from './units.js';
import { namesVendor } from './vendors.js';

export type Judgement = CredentialName | 'vendor';

/** What a name says that stands in a text: it names a credential, maybe one, or a service that has keys. */
export function judged(text: string, from = 0, to = text.length): Judgement {
  return orVendor(credentialName(text, from, to), to - from);
}

/** The same of a name in a text that is read by its units. */
export function judgedIn(units: Units, from: number, to: number): Judgement {
  return orVendor(credentialNameIn(units, from, to), to - from);
}

/** What a name says that was read last (name-letters.ts), of such a length. */
const orVendor = (credential: CredentialName, length: number): Judgement =>
  credential === 'none' && length <= longestName && namesVendor(length) ? 'vendor' : credential;

/** Shorter values of names that do not say for sure what they are of are never taken. */
export const doubtfulAtLeast = 12;
/** But for what a cut left of one. */
export const cutOffAtLeast = 6;

/** Where its name does not say whether a value is a credential, its look must. */
export const looksCredential = (value: string, says: 'weak' | 'vendor'): boolean =>
  value.length >= doubtfulAtLeast &&
  (says === 'weak'
    ? mayBeCredential(value)
    : looksLikeKey(mayHoldWildcard(value) ? value.replace(wildcards, '') : value));

/** Where a search for the beginning of a value goes on. */
const wildcards = /^[*%^]{1,2}|\.?[*%?$]$/g;

/** Few values do: asked of all, the expression would cost more than their look. */
const mayHoldWildcard = (value: string): boolean =>
  opens.has(value.charCodeAt(0)) || closes.has(value.charCodeAt(value.length - 1));
const codesOf = (signs: string): ReadonlySet<number> =>
  new Set(Array.from(signs, (sign) => sign.charCodeAt(0)));
const opens = codesOf('*%^');
const closes = codesOf('*%?$');

const mayBeCredential = (text: string): boolean =>
  looksRandom(text) || (/^[A-Za-z0-9+/=-]{12,}$/.test(text) && looksEncoded(text));

/** What services number, `github_run_id`, is no key where it is a number. */
export const namesNumber = (name: string): boolean => /(?:[^A-Za-z]id|Id|ID)["'\]]?$/.test(name);
export const numberAtMost = 24;
export function isNumber(value: string): boolean {
  if (value.length === 0 || value.length > numberAtMost) return false;
  for (let at = 0; at < value.length; at += 1) if (!isDigit(value.charCodeAt(at))) return false;
  return true;
}
