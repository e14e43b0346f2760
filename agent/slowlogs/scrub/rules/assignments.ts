import {
  cutOffAtLeast,
  doubtfulAtLeast,
  isNumber,
  judged,
  looksCredential,
  namesNumber,
  type Judgement,
} from '../doubtful.js';
import type { FoundSpan, Span } from '../span.js';
import { inSource, type Rule, type View } from '../view.js';
import { Values } from './assigned-values.js';
import { nameEnd, nextName, spokenFrom } from './names.js';
import { Operators, type Operator } from './operators.js';
import { Alphabet, Runs } from './runs.js';

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
      let behind = end;
      for (const value of end - at < 2 ? [] : reader.valuesNamed(at, end)) {
        behind = Math.min(value.end, view.stringEnd(value.start));
        found.push(inSource(view, value.start, behind));
      }
      at = nextName(plain, behind);
    }
    return found;
  },
};

/** Names within one long run all have its rest for a value: of those that may be no credential's, so many are tried. */
const triesInRun = 12;

const ofWords = Alphabet.of('[^\\s"\'`,;()[\\]]');
const longWord = /[^\s"'`,;()[\]]{12,512}/g;

/** Words that are long enough for a credential. An expression alone would try short ones again at each of their letters. */
function longWords(plain: string, from: number, to: number): readonly Span[] {
  const words: Span[] = [];
  for (let at = from, end = at; at < to; at = end + 1) {
    for (end = at; end < to && ofWords.has(plain.charCodeAt(end));) end += 1;
    if (end - at < doubtfulAtLeast) continue;
    for (const { 0: text, index } of plain.slice(at, end).matchAll(longWord))
      words.push({ start: at + index, end: at + index + text.length });
  }
  return words;
}

/** Headers and phrases hold blanks. */
const takesTheLine = /(?:authorization|authentication|cookie|phrase|mnemonic|auth)$/i;
/** Their last two letters. */
const lineEndings = Alphabet.of('[cehinostCEHINOST]');

class Reader {
  private readonly plain: string;
  private readonly cutOff: boolean;
  readonly #operators: Operators;
  readonly #values: Values;
  #run = -1;
  #groupedUntil = 0;
  #tries = 0;

  constructor(view: View) {
    this.plain = view.plain;
    this.cutOff = view.cutOff;
    const runs = new Runs(view.plain);
    this.#operators = new Operators(view.plain, runs);
    this.#values = new Values(view.plain, runs, (index) => view.stringEnd(index));
  }

  valuesNamed(at: number, end: number): readonly Span[] {
    if (!this.#operators.mayFollow(at, end)) return [];
    const says = this.#judged(at, end);
    const operator = says === 'none' ? null : this.#operators.at(end);
    if (says === 'none' || operator === null) return [];
    if (says !== 'strong') return this.#doubtful(operator, { start: at, end }, says);
    const wholeLine = this.#takesTheLine(at, end);
    const value = this.#values.at(operator.start, { wholeLine, structures: true, operator });
    return value === null ? [] : [value];
  }

  #doubtful(operator: Operator, name: Span, says: 'weak' | 'vendor'): readonly Span[] {
    if (!this.#tryIn(this.#values.runEnd(operator.start))) return [];
    const isShort = !operator.list && this.#values.isShort(operator.start, doubtfulAtLeast);
    if (isShort && !this.cutOff) return [];
    if (operator.list || '(['.includes(this.plain[operator.start] ?? ' '))
      return this.#inGroup(operator, name, says);
    const value = this.#values.at(operator.start, { wholeLine: false, structures: false, operator });
    return value === null || !this.#isTaken(value, name, says) ? [] : [value];
  }

  /** Each word by itself. Groups may hold each other: what was looked at once is so no more. */
  #inGroup(operator: Operator, name: Span, says: 'weak' | 'vendor'): readonly Span[] {
    if (operator.start < this.#groupedUntil) return [];
    const { start, end } = this.#values.group(operator.start, operator);
    this.#groupedUntil = end;
    return longWords(this.plain, start, end).filter((word) => this.#isTaken(word, name, says));
  }

  #takesTheLine(at: number, end: number): boolean {
    const mayBe =
      lineEndings.has(this.plain.charCodeAt(end - 1)) && lineEndings.has(this.plain.charCodeAt(end - 2));
    return mayBe && takesTheLine.test(this.plain.slice(Math.max(at, end - 14), end));
  }

  #judged(at: number, end: number): Judgement {
    return judged(this.plain, spokenFrom(this.plain, at, end), end);
  }

  #tryIn(run: number): boolean {
    this.#tries = run === this.#run ? this.#tries + 1 : 1;
    this.#run = run;
    return this.#tries <= triesInRun;
  }

  /** Where the name does not say it, the value must. */
  #isTaken({ start, end }: Span, name: Span, says: 'weak' | 'vendor'): boolean {
    const value = this.plain.slice(start, end);
    if (says === 'vendor' && isNumber(value) && namesNumber(this.plain.slice(name.start, name.end)))
      return false;
    if (this.cutOff && end === this.plain.length && end - start >= cutOffAtLeast) return true;
    return looksCredential(value, says);
  }
}
