import { looksEncoded } from '../randomness.js';
import type { FoundSpan } from '../span.js';
import type { Units } from '../units.js';
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
    const { units } = view;
    const found: FoundSpan[] = [];
    const runs = new Runs(units);
    const placeholders = new Placeholders(units);
    let isInside = false;
    for (let at = 0; at < units.length; at += 1) {
      const wasInside: boolean = isInside;
      const code = units.at(at);
      isInside = ofWords.has(code) && (wasInside || code !== underscore || mayBegin(units, at));
      if (wasInside || !isInside) continue;
      const end = endOfToken(units, at, view.cutOff, runs, placeholders);
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
const mayBegin = (units: Units, at: number): boolean => formsAt(units, at).length > 0;

function endOfToken(
  units: Units,
  at: number,
  cutOff: boolean,
  runs: Runs,
  placeholders: Placeholders,
): number {
  const forms = formsAt(units, at);
  for (let place = 0; place < forms.length; place += 1) {
    const form = forms[place];
    if (form === undefined) break;
    const from = at + form.width;
    const end = form.body.endAt(units, from, runs);
    const length = end - from;
    if (length < form.least && end !== units.length) continue;
    if (end === units.length && (cutOff ? length >= 1 : isBeginning(units.text.slice(from)))) return end;
    if (length < form.least || length > form.most) continue;
    if (!placeholders.isOne(from, end)) return runs.endOf(ofWords, end);
  }
  return nowhere;
}

/** What is left of a token where a text that is no JSON ends, and may have been cut off. */
const isBeginning = (text: string): boolean =>
  text.length >= 6 && /\d/.test(text) && /[A-Z]/.test(text) && /[a-z]/.test(text);

/** Whether a listed form would fit a whole word but for its length: then it is no token of the vendor's. */
function hasOtherLength(units: Units, at: number, end: number, runs: Runs): boolean {
  const forms = formsAt(units, at);
  for (let place = 0; place < forms.length; place += 1) {
    const form = forms[place];
    if (form === undefined) break;
    const from = at + form.width;
    const last = form.body.endAt(units, from, runs);
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
    const { units } = view;
    const runs = new Runs(units);
    const found: FoundSpan[] = [];
    unlisted.lastIndex = 0;
    for (let match = unlisted.exec(units.text); match !== null; match = unlisted.exec(units.text)) {
      const at = match.index;
      const end = at + match[0].length;
      open.lastIndex = at;
      if (open.test(units.text)) continue;
      let from = at;
      while (!isMark(units.at(from))) from += 1;
      if (end - from > 22 && looksEncoded(units.text, from + 1, end) && !hasOtherLength(units, at, end, runs))
        found.push(inSource(view, at, end));
    }
    return found;
  },
};
