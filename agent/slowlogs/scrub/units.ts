/** Zeros before the first unit and behind the last: what is looked at around a text is hardly ever farther away. */
const around = 8;

/**
 * A text with its UTF-16 units in an array. What is looked at again and again by its place is read from there: that takes
 * half of the time that a string takes to find out of what kind it is.
 */
export class Units {
  readonly length: number;
  readonly #units: Uint16Array;

  constructor(readonly text: string) {
    this.length = text.length;
    this.#units = new Uint16Array(text.length + 2 * around);
    Buffer.from(this.#units.buffer).write(text, 2 * around, 'utf16le');
  }

  /**
   * The unit at a place, 0 before the text and behind it. `charCodeAt` gives NaN there: once it did, V8 takes every unit
   * that is read at the same place of a program for a floating-point number.
   */
  at(place: number): number {
    return this.#units[place + around] ?? 0;
  }

  /**
   * Every place of a unit, and the text's end behind the last. Read from the array itself: in a loop over a whole text, `at`
   * would take most of the time.
   */
  placesOf(unit: number): Int32Array {
    const places = new Int32Array(countOf(this.#units, unit) + 1);
    list(this.#units, unit, places);
    places[places.length - 1] = this.length;
    return places;
  }
}

function countOf(units: Uint16Array, unit: number): number {
  let count = 0;
  for (let at = around; at < units.length - around; at += 1) if (units[at] === unit) count += 1;
  return count;
}

function list(units: Uint16Array, unit: number, places: Int32Array): void {
  let next = 0;
  for (let at = around; at < units.length - around; at += 1) {
    if (units[at] !== unit) continue;
    places[next] = at - around;
    next += 1;
  }
}
