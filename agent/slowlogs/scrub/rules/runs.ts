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

  has(code: number): boolean {
    // The end of a text has no code: NaN.
    return code < 128 ? this.#has[code] === 1 : this.#hasOthers && code >= 128;
  }
}

/**
 * How far a text goes on with the characters of an alphabet. Where a run ends is remembered: many forms are looked for
 * within one run, and each of them would read the rest of it.
 */
export class Runs {
  readonly #text: string;
  readonly #from: number[] = [];
  readonly #end: number[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  endOf(alphabet: Alphabet, at: number): number {
    const { place } = alphabet;
    const known = this.#end[place] ?? 0;
    if (at < known && at >= (this.#from[place] ?? 0)) return known;
    const text = this.#text;
    let end = at;
    while (end < text.length && alphabet.has(text.charCodeAt(end))) end += 1;
    this.#from[place] = at;
    this.#end[place] = end;
    return end;
  }
}
