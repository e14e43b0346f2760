/**
 * Rows of whole numbers in one array that grows. A text of a megabyte holds hundreds of thousands of fields: as objects,
 * they cost more to collect than to read.
 */
export class Rows {
  length = 0;
  readonly #width: number;
  #numbers: Int32Array;

  constructor(width: number) {
    this.#width = width;
    this.#numbers = new Int32Array(width * 16);
  }

  /** The place of a further row, whose numbers are any until they are set. */
  add(): number {
    const row = this.length;
    this.length += 1;
    if (this.length * this.#width > this.#numbers.length) this.#grow();
    return row;
  }

  #grow(): void {
    const longer = new Int32Array(this.#numbers.length * 4);
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
