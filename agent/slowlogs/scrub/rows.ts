/** Most tables of a text stay empty. */
const none = new Int32Array(0);

/**
 * Rows of whole numbers in one array that grows. A text of a megabyte holds hundreds of thousands of fields: as objects,
 * they cost more to collect than to read.
 */
export class Rows {
  length = 0;
  readonly #width: number;
  #numbers = none;

  constructor(width: number) {
    this.#width = width;
  }

  /** The place of a further row, whose numbers are any until they are set. */
  add(): number {
    const row = this.length;
    this.length += 1;
    if (this.length * this.#width > this.#numbers.length) this.#grow();
    return row;
  }

  #grow(): void {
    const longer = new Int32Array(Math.max(this.#numbers.length * 4, 16 * this.#width));
    longer.set(this.#numbers);
    this.#numbers = longer;
  }

  get(row: number, column: number): number {
    return this.#numbers[row * this.#width + column] ?? 0;
  }

  set(row: number, column: number, value: number): void {
    this.#numbers[row * this.#width + column] = value;
  }
}
