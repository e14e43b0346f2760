import type { Units } from '../units.js';

/** Characters of ASCII, as an expression puts them between brackets; where it says which not, all others as well. */
export class Alphabet {
  static readonly #known = new Map<string, Alphabet>();
  readonly #has = new Uint8Array(128);
  readonly #hasOthers: boolean;

  private constructor(
    brackets: string,
    /** Counts the alphabets: what is remembered of each stands there. */
    readonly place: number,
  ) {
    const expression = new RegExp(brackets);
    for (let code = 0; code < 128; code += 1)
      this.#has[code] = expression.test(String.fromCharCode(code)) ? 1 : 0;
    this.#hasOthers = brackets.startsWith('[^');
  }

  /** The same for the same characters, so that forms share what is remembered of a text. */
  static of(brackets: string): Alphabet {
    const known = this.#known.get(brackets) ?? new Alphabet(brackets, this.#known.size);
    this.#known.set(brackets, known);
    return known;
  }

  static get count(): number {
    return this.#known.size;
  }

  has(code: number): boolean {
    return code < 128 ? this.#has[code] === 1 : this.#hasOthers;
  }
}

/**
 * How far a text goes on with the characters of an alphabet. Where a run ends is remembered: many forms are looked for
 * within one run, and each of them would read the rest of it.
 */
export class Runs {
  readonly #units: Units;
  /** Where the run of each alphabet that was read last begins, and where it ends. */
  #known = new Int32Array(2 * Alphabet.count);

  constructor(units: Units) {
    this.#units = units;
  }

  endOf(alphabet: Alphabet, at: number): number {
    const place = 2 * alphabet.place;
    const known = this.#known[place + 1] ?? this.#withMore();
    if (at < known && at >= (this.#known[place] ?? 0)) return known;
    const units = this.#units;
    let end = at;
    while (end < units.length && alphabet.has(units.at(end))) end += 1;
    this.#known[place] = at;
    this.#known[place + 1] = end;
    return end;
  }

  /** Alphabets may have been made after this. */
  #withMore(): number {
    const longer = new Int32Array(2 * Alphabet.count);
    longer.set(this.#known);
    this.#known = longer;
    return 0;
  }
}
