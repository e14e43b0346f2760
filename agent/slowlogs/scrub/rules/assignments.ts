import { cutOffAtLeast, doubtfulAtLeast, namesNumber } from '../doubtful.js';
import type { FoundSpan, Span } from '../span.js';
import type { Units } from '../units.js';
import { inSource, type Rule, type View } from '../view.js';
import { Values, type Extent } from './assigned-values.js';
import { Judgements } from './judgements.js';
import { eachLongWord } from './long-words.js';
import { nameEnd, nextName, spokenFrom } from './names.js';
import type { Operator } from './operator-forms.js';
import { Operators } from './operators.js';
import { NextMark } from './reading.js';
import { Runs } from './runs.js';
import { WordLooks } from './word-looks.js';

/**
 * Credentials that a text names: `password=…` of a query string or a connection string, `token: '…'` of prose, code or
 * a query in Lucene's syntax, `api_key => …`, `["secret"] = …`, `<password>…</password>`, `--token …`.
 */
export const assignments: Rule = {
  name: 'assignments',
  find(view) {
    const { units } = view;
    const found: FoundSpan[] = [];
    const reader = new Reader(view, (start, end) => void found.push(inSource(view, start, end)));
    for (let at = nextName(units, 0); at !== -1;) {
      const end = nameEnd(units, at);
      at = nextName(units, end - at < 2 ? end : reader.read(at, end));
    }
    return found;
  },
};

/** Names within one long run all have its rest for a value: of those that may be no credential's, so many are tried. */
const triesInRun = 8;

/** Headers and phrases hold blanks. */
const takesTheLine = /(?:authorization|authentication|cookie|phrase|mnemonic|auth)$/i;
/** Their last two letters. */
const lineEndings = new Set(
  ['on', 'ie', 'se', 'ic', 'th'].map((pair) => pairOf(pair.charCodeAt(0), pair.charCodeAt(1))),
);
/** Of two letters, in either case. */
function pairOf(first: number, second: number): number {
  return ((first | 32) << 8) | (second | 32);
}

const [openParenthesis, openBracket] = [40, 91];
const ofLine: Extent = { wholeLine: true, structures: true };
const ofAny: Extent = { wholeLine: false, structures: true };
const ofWord: Extent = { wholeLine: false, structures: false };

class Reader {
  readonly #units: Units;
  private readonly cutOff: boolean;
  readonly #view: View;
  readonly #add: (start: number, end: number) => void;
  readonly #judgements: Judgements;
  readonly #operators: Operators;
  readonly #values: Values;
  readonly #looks: WordLooks;
  #run = -1;
  #groupedUntil = 0;
  #tries = 0;

  /** `add` is told of every value that is a credential. */
  constructor(view: View, add: (start: number, end: number) => void) {
    this.#units = view.units;
    this.cutOff = view.cutOff;
    this.#view = view;
    this.#add = add;
    this.#judgements = new Judgements(view.units);
    const nextMark = new NextMark(view.units);
    this.#operators = new Operators(view.units, nextMark);
    this.#looks = new WordLooks(view.units, new Runs(view.units));
    this.#values = new Values(view, nextMark);
  }

  /** What a name says of what stands behind it; where to read on. */
  read(at: number, end: number): number {
    if (!this.#operators.mayFollow(at, end)) return end;
    const says = this.#judgements.of(spokenFrom(this.#units, at, end), end);
    const operator = says === 'none' ? null : this.#operators.at(at, end);
    if (says === 'none' || operator === null) return end;
    if (says !== 'strong') return this.#doubtful(operator, at, end, says);
    const value = this.#values.at(operator, this.#takesTheLine(at, end) ? ofLine : ofAny);
    return value === null ? end : this.#take(value);
  }

  #take({ start, end }: Span): number {
    const behind = Math.min(end, this.#view.stringEnd(start));
    if (behind > start) this.#add(start, behind);
    return Math.max(behind, start);
  }

  #doubtful(operator: Operator, at: number, end: number, says: 'weak' | 'vendor'): number {
    const { start, form } = operator;
    if (!this.#tryIn(this.#values.runEnd(start))) return end;
    const isShort = !form.list && this.#values.isShort(start, doubtfulAtLeast);
    if (isShort && !this.cutOff) return end;
    const first = this.#units.at(start);
    if (form.list || first === openParenthesis || first === openBracket)
      return this.#inGroup(operator, at, end, says);
    const value = this.#values.at(operator, ofWord);
    return value === null || !this.#isTaken(value, at, end, says) ? end : this.#take(value);
  }

  /** Each word by itself. Groups may hold each other: what was looked at once is so no more. */
  #inGroup(operator: Operator, at: number, end: number, says: 'weak' | 'vendor'): number {
    if (operator.start < this.#groupedUntil) return end;
    const group = this.#values.group(operator);
    this.#groupedUntil = group.end;
    let behind = end;
    eachLongWord(this.#units, group, (word) => {
      if (this.#isTaken(word, at, end, says)) behind = this.#take(word);
    });
    return behind;
  }

  #takesTheLine(at: number, end: number): boolean {
    const units = this.#units;
    return (
      lineEndings.has(pairOf(units.at(end - 2), units.at(end - 1))) &&
      takesTheLine.test(units.text.slice(Math.max(at, end - 14), end))
    );
  }

  #tryIn(run: number): boolean {
    this.#tries = run === this.#run ? this.#tries + 1 : 1;
    this.#run = run;
    return this.#tries <= triesInRun;
  }

  /** Where the name does not say it, the value must. */
  #isTaken({ start, end }: Span, nameAt: number, nameEnd: number, says: 'weak' | 'vendor'): boolean {
    const isCutOff = this.cutOff && end === this.#units.length && end - start >= cutOffAtLeast;
    if (end - start < doubtfulAtLeast && !isCutOff) return false;
    const isNumber = says === 'vendor' && this.#looks.isNumber(start, end);
    if (isNumber && namesNumber(this.#units.text.slice(nameAt, nameEnd))) return false;
    return isCutOff || this.#looks.looksCredential(start, end, says);
  }
}
