import { looksEncoded } from '../randomness.js';
import type { FoundSpan } from '../span.js';
import { inSource, type Rule } from '../view.js';
import { Alphabet, Runs } from './runs.js';
import { Placeholders } from './placeholders.js';
import { formsAt } from './token-prefixes.js';

/** What a word goes on with: a token begins where none does, and takes the rest of its own. */
const ofWords = Alphabet.of('[A-Za-z0-9_-]');

/**
 * Tokens that say whose they are by how they begin, as their vendors document. One that runs into the end of a text
 * was cut off, and may be as short as it likes.
 */
export const prefixedTokens: Rule = {
  name: 'prefixed-tokens',
  find(view) {
    const { plain } = view;
    const found: FoundSpan[] = [];
    const runs = new Runs(plain);
    const placeholders = new Placeholders(plain);
    let isInside = false;
    for (let at = 0; at < plain.length; at += 1) {
      const wasInside: boolean = isInside;
      const code = plain.charCodeAt(at);
      isInside = ofWords.has(code) && (wasInside || code !== underscore || mayBegin(plain, at));
      if (wasInside || !isInside) continue;
      const end = endOfToken(plain, at, view.cutOff, runs, placeholders);
      if (end === nowhere) continue;
      found.push(inSource(view, at, end));
      at = end - 1;
    }
    return found;
  },
};

const nowhere = -1;
const [hyphen, underscore] = [45, 95];
const isMark = (code: number): boolean => code === hyphen || code === underscore;
/** Of what stands before a word, `_` begins one form, `_gitlab_session`. */
const mayBegin = (plain: string, at: number): boolean => formsAt(plain, at).length > 0;

function endOfToken(
  plain: string,
  at: number,
  cutOff: boolean,
  runs: Runs,
  placeholders: Placeholders,
): number {
  const forms = formsAt(plain, at);
  for (let place = 0; place < forms.length; place += 1) {
    const form = forms[place];
    if (form === undefined) break;
    const from = at + form.width;
    const end = form.body.endAt(plain, from, runs);
    const length = end - from;
    if (length < form.least && end !== plain.length) continue;
    if (end === plain.length && (cutOff ? length >= 1 : isBeginning(plain.slice(from)))) return end;
    if (length < form.least || length > form.most) continue;
    if (!placeholders.isOne(from, end)) return runs.endOf(ofWords, end);
  }
  return nowhere;
}

/** What is left of a token where a text that is no JSON ends, and may have been cut off. */
const isBeginning = (text: string): boolean =>
  text.length >= 6 && /\d/.test(text) && /[A-Z]/.test(text) && /[a-z]/.test(text);

/** Whether a listed form would fit a whole word but for its length: then it is no token of the vendor's. */
function hasOtherLength(plain: string, at: number, end: number, runs: Runs): boolean {
  const forms = formsAt(plain, at);
  for (let place = 0; place < forms.length; place += 1) {
    const form = forms[place];
    if (form === undefined) break;
    const from = at + form.width;
    const last = form.body.endAt(plain, from, runs);
    if (last === end && (last - from < form.least || last - from > form.most)) return true;
  }
  return false;
}

/** Public ids and keys that are built like tokens. */
const open =
  /(?:pk|pub|publishable|cus|pi|ch|in|sub|prod|price|evt|acct|cs|seti|txn|re|po|ca|file|run|thread|asst|msg|req|call|resp|chatcmpl|cmpl|user|org|team|proj|id|uuid|sha\d{1,3}|md5|rev|v\d+|h1)[_-]/y;

/**
 * Tokens of vendors that are not listed: a short word or two, then a long run that mixes cases and digits, as hashes,
 * words and identifiers do not.
 */
const unlisted =
  /(?<![A-Za-z0-9._/-])[a-z][a-z0-9]{1,9}[_-](?:[a-z]{2,10}[_-]){0,2}(?=[A-Za-z0-9]{22,})[A-Za-z0-9_-]{22,}/g;

export const unlistedTokens: Rule = {
  name: 'unlisted-tokens',
  find(view) {
    const { plain } = view;
    const runs = new Runs(plain);
    const found: FoundSpan[] = [];
    unlisted.lastIndex = 0;
    for (let match = unlisted.exec(plain); match !== null; match = unlisted.exec(plain)) {
      const at = match.index;
      const end = at + match[0].length;
      open.lastIndex = at;
      if (open.test(plain)) continue;
      let from = at;
      while (!isMark(plain.charCodeAt(from))) from += 1;
      if (end - from > 22 && looksEncoded(plain, from + 1, end) && !hasOtherLength(plain, at, end, runs))
        found.push(inSource(view, at, end));
    }
    return found;
  },
};
