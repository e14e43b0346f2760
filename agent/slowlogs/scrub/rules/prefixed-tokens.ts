import { entropy, looksEncoded, looksRandom } from '../randomness.js';
import type { FoundSpan } from '../span.js';
import { inSource, type Rule } from '../view.js';
import { furtherTokenForms } from './further-token-forms.js';
import type { TokenForm } from './token-form.js';
import { tokenForms } from './token-forms.js';

interface Candidate extends Omit<TokenForm, 'prefixes'> {
  readonly prefix: string;
}

/** By the first two characters, which every form has as they stand, and which are ASCII. */
const byStart: Candidate[][] = [];
const placeOf = (text: string, at: number): number => (text.charCodeAt(at) << 7) | text.charCodeAt(at + 1);
for (const { prefixes, ...form } of [...tokenForms, ...furtherTokenForms])
  for (const prefix of prefixes) (byStart[placeOf(prefix, 0)] ??= []).push({ ...form, prefix });

/** What a word goes on with: a token begins where none does. */
const inWord = new Uint8Array(128);
for (let code = 0; code < 128; code += 1)
  inWord[code] = /[A-Za-z0-9_-]/.test(String.fromCharCode(code)) ? 1 : 0;

/**
 * Tokens that say whose they are by how they begin, as their vendors document. One that runs into the end of a text
 * was cut off, and may be as short as it likes.
 */
export const prefixedTokens: Rule = {
  name: 'prefixed-tokens',
  find(view) {
    const { plain } = view;
    const found: FoundSpan[] = [];
    let isInside = 0;
    for (let at = 0; at < plain.length; at += 1) {
      const code = plain.charCodeAt(at);
      const wasInside = isInside;
      isInside = code < 128 ? (inWord[code] ?? 0) : 0;
      if (wasInside === 1 || isInside === 0) continue;
      const end = endOfToken(plain, at, view.cutOff);
      if (end === null) continue;
      found.push(inSource(view, at, end));
      at = end - 1;
    }
    return found;
  },
};

function endOfToken(plain: string, at: number, cutOff: boolean): number | null {
  const forms = plain.charCodeAt(at + 1) < 128 ? byStart[placeOf(plain, at)] : undefined;
  if (forms === undefined) return null;
  for (const { prefix, body, least, most } of forms) {
    if (!plain.startsWith(prefix, at)) continue;
    body.lastIndex = at + prefix.length;
    const text = body.exec(plain)?.[0] ?? '';
    const end = at + prefix.length + text.length;
    if (end === plain.length && (cutOff ? text.length >= 1 : isBeginning(text))) return end;
    if (text.length >= least && text.length <= most && !isPlaceholder(text)) return endOfWord(plain, end);
  }
  return null;
}

/** What is left of a token where a text that is no JSON ends, and may have been cut off. */
const isBeginning = (text: string): boolean =>
  text.length >= 6 && /\d/.test(text) && /[A-Z]/.test(text) && /[a-z]/.test(text);

/** Whether a listed form would fit a whole word but for its length: then it is no token of the vendor's. */
function hasOtherLength(plain: string, at: number, end: number): boolean {
  return (byStart[placeOf(plain, at)] ?? []).some(({ prefix, body, least, most }) => {
    if (!plain.startsWith(prefix, at)) return false;
    body.lastIndex = at + prefix.length;
    const length = body.exec(plain)?.[0].length ?? 0;
    return at + prefix.length + length === end && (length < least || length > most);
  });
}

/** Past what was read of the body, where it goes on. */
function endOfWord(plain: string, at: number): number {
  const rest = /[A-Za-z0-9_-]*/y;
  rest.lastIndex = at;
  rest.exec(plain);
  return Math.max(at, rest.lastIndex);
}

/** Documentation writes one character again and again where a token goes on. */
const isPlaceholder = (text: string): boolean => text.length >= 16 && entropy(text.slice(0, 64)) < 1.5;

/** Public ids and keys that are built like tokens. */
const open =
  /^(?:pk|pub|publishable|cus|pi|ch|in|sub|prod|price|evt|acct|cs|seti|txn|re|po|ca|file|run|thread|asst|msg|req|call|resp|chatcmpl|cmpl|user|org|team|proj|id|uuid|sha\d{1,3}|md5|rev|v\d+|h1)[_-]/;

/**
 * Tokens of vendors that are not listed: a short word or two, then a long run that mixes cases and digits, as hashes,
 * words and identifiers do not.
 */
const unlisted =
  /(?<![A-Za-z0-9._/-])[a-z][a-z0-9]{1,9}[_-](?:[a-z]{2,10}[_-]){0,2}(?=[A-Za-z0-9]{22,})[A-Za-z0-9_-]{22,}/g;

export const unlistedTokens: Rule = {
  name: 'unlisted-tokens',
  find: (view) =>
    [...view.plain.matchAll(unlisted)].flatMap(({ 0: text, index }) => {
      const body = text.slice(text.search(/[_-]/) + 1);
      const taken =
        !open.test(text) &&
        looksRandom(body, 22) &&
        looksEncoded(body) &&
        !hasOtherLength(view.plain, index, index + text.length);
      return taken ? [inSource(view, index, index + text.length)] : [];
    }),
};
