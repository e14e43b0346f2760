/** Where an expression matches next. It is remembered, so that it may be asked for at place after place. */
export class NextMatch {
  readonly #text: string;
  readonly #expression: RegExp;
  #from = 0;
  #at = -1;

  /** The expression must have the flag g. */
  constructor(text: string, expression: RegExp) {
    this.#text = text;
    this.#expression = expression;
  }

  /** At or behind a place; Infinity where there is no more. */
  from(place: number): number {
    if (place < this.#from || place > this.#at) {
      this.#expression.lastIndex = place;
      this.#from = place;
      this.#at = this.#expression.exec(this.#text)?.index ?? Infinity;
    }
    return this.#at;
  }
}
