import { credentialName, type CredentialName } from '../credential-keys.js';
import { looksEncoded, looksLikeKey, looksRandom } from '../randomness.js';
import { namesVendor } from '../vendors.js';
import type { FoundSpan, Span } from '../span.js';
import { inSource, type Rule, type View } from '../view.js';
import { operatorAt, Values } from './assigned-values.js';
import { nameEnd, nextName, spokenFrom } from './names.js';

/**
 * Credentials that a text names: `password=…` of a query string or a connection string, `token: '…'` of prose, code or
 * a query in Lucene's syntax, `api_key => …`, `["secret"] = …`, `<password>…</password>`, `--token …`.
 */
export const assignments: Rule = {
  name: 'assignments',
  find(view) {
    const { plain } = view;
    const found: FoundSpan[] = [];
    const reader = new Reader(view);
    for (let at = nextName(plain, 0); at !== -1;) {
      const end = nameEnd(plain, at);
      const value = end - at < 2 ? null : reader.valueNamed(at, end);
      const behind = value === null ? end : Math.min(value.end, view.stringEnd(value.start));
      if (value !== null) found.push(inSource(view, value.start, behind));
      at = nextName(plain, behind);
    }
    return found;
  },
};

/** Shorter values of names that do not say for sure what they are of are never taken. */
const doubtfulAtLeast = 12;
/** Names within one long run all have its rest for a value: of those that may be no credential's, so many are tried. */
const triesInRun = 12;

/** Headers and phrases hold blanks. */
const takesTheLine = /(?:authorization|authentication|cookie|phrase|mnemonic|auth)$/i;

class Reader {
  private readonly plain: string;
  private readonly cutOff: boolean;
  readonly #values: Values;
  #run = -1;
  #tries = 0;

  constructor(view: View) {
    this.plain = view.plain;
    this.cutOff = view.cutOff;
    this.#values = new Values(view.plain, (index) => view.stringEnd(index));
  }

  valueNamed(at: number, end: number): Span | null {
    const operator = operatorAt(this.plain, at, end);
    if (operator === null) return null;
    const says = this.#judged(at, end);
    if (says === 'none') return null;
    const isStrong = says === 'strong';
    if (!isStrong && !this.#tryIn(this.#values.runEnd(operator.start))) return null;
    const wholeLine = isStrong && takesTheLine.test(this.plain.slice(Math.max(at, end - 14), end));
    const value = this.#values.at(operator.start, { wholeLine, structures: isStrong, operator });
    if (value === null || isStrong) return value;
    const isNumberOfThing =
      says === 'vendor' && namesId.test(this.plain.slice(at, end)) && this.#isNumber(value);
    return !isNumberOfThing && this.#isTaken(value, says) ? value : null;
  }

  #judged(at: number, end: number): CredentialName | 'vendor' {
    const from = spokenFrom(this.plain, at, end);
    const credential = credentialName(this.plain, from, end);
    return credential === 'none' && namesVendor(this.plain, from, end) ? 'vendor' : credential;
  }

  #isNumber({ start, end }: Span): boolean {
    return end - start <= 24 && /^\d+$/.test(this.plain.slice(start, end));
  }

  #tryIn(run: number): boolean {
    this.#tries = run === this.#run ? this.#tries + 1 : 1;
    this.#run = run;
    return this.#tries <= triesInRun;
  }

  /** Where the name does not say it, the value must. */
  #isTaken({ start, end }: Span, says: 'weak' | 'vendor'): boolean {
    if (this.cutOff && end === this.plain.length && end - start >= 6) return true;
    if (end - start < doubtfulAtLeast) return false;
    const text = this.plain.slice(start, end);
    return says === 'weak' ? mayBeCredential(text) : looksLikeKey(text);
  }
}

/** What services number, `github_run_id`, is no key where it is a number. */
const namesId = /(?:[^A-Za-z]id|Id|ID)["'\]]?$/;

const mayBeCredential = (text: string): boolean =>
  looksRandom(text) || (/^[A-Za-z0-9+/=-]{12,}$/.test(text) && looksEncoded(text));
