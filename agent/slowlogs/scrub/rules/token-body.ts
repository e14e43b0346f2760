import type { Units } from '../units.js';
import { Alphabet, type Runs } from './runs.js';

const brackets = String.raw`\[(?!\^)(?:[^\]\\|]|\\.)+\]`;
const ahead = String.raw`^(?:\(\?=[^()]*\))?`;
const optional = String.raw`(?:\(\?:((?:\w|\\\.)+)\)\?)?`;
const oneAlphabet = new RegExp(String.raw`^${optional}(${brackets})\{0,(\d+)\}$`);
const beginning = new RegExp(String.raw`${ahead}(${brackets})(?:\{(\d+)(?:,\d*)?\}|(?![*+?{]))`);
const fixedLength = new RegExp(String.raw`${ahead}${brackets}\{(\d+)\}\(\?!(${brackets})\)$`);

/**
 * What a token goes on with behind its prefix. Prefixes come again and again in texts that mean harm, and an expression
 * costs much even where it fails at once: what its source says it needs is asked first, and one that only reads the
 * characters of an alphabet is never run.
 */
export class Body {
  readonly #expression: RegExp;
  readonly #begins: Alphabet | null;
  /** Fewest characters of the alphabet that it begins with. */
  readonly #least: number;
  /** Most of them where it is nothing else, null where it is. */
  readonly #most: number | null;
  /** What may stand before them then. */
  readonly #mayBegin: string;
  readonly #length: number;
  /** What may not stand behind a body of a fixed length. */
  readonly #notBehind: Alphabet | null;
  /** Whether nothing else is asked of it. */
  readonly #isFixed: boolean;

  /** The expression must be sticky and have no other flag. */
  constructor(expression: RegExp) {
    const source = expression.source.includes('|') ? '' : expression.source;
    const whole = oneAlphabet.exec(source);
    const [, begins, least = '1'] = whole?.slice(1) ?? beginning.exec(source) ?? [];
    const [, length = '0', notBehind] = fixedLength.exec(source) ?? [];
    this.#expression = expression;
    this.#begins = begins === undefined ? null : Alphabet.of(begins);
    this.#most = whole === null ? null : Number(whole[3]);
    this.#mayBegin = whole?.[1]?.replaceAll('\\', '') ?? '';
    this.#least = whole === null ? Number(least) : 0;
    this.#length = Number(length);
    this.#notBehind = notBehind === undefined ? null : Alphabet.of(notBehind);
    this.#isFixed = notBehind !== undefined && !source.startsWith('(?=');
  }

  /** Where it ends that begins at a place; the place itself where none does. */
  endAt(units: Units, at: number, runs: Runs): number {
    if (this.#begins !== null) {
      if (this.#most !== null) return this.#endOfRun(this.#begins, this.#most, units, at, runs);
      const run = runs.endOf(this.#begins, at);
      if (run - at < this.#least) return at;
    }
    if (this.#notBehind?.has(units.at(at + this.#length)) === true) return at;
    if (this.#isFixed) return at + this.#length;
    this.#expression.lastIndex = at;
    return this.#expression.test(units.text) ? this.#expression.lastIndex : at;
  }

  #endOfRun(alphabet: Alphabet, most: number, units: Units, at: number, runs: Runs): number {
    const { length } = this.#mayBegin;
    const from = length > 0 && units.text.startsWith(this.#mayBegin, at) ? at + length : at;
    return Math.min(runs.endOf(alphabet, from), from + most);
  }
}
