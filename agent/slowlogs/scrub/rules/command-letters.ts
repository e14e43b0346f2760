import type { Units } from '../units.js';
import { isBlank } from './blanks.js';

const nowhere = -1;
const hyphen = 45;

/**
 * Passwords that stand behind a letter, `-p`, of a command, in the same line and not far behind it. Where letters and
 * lines' ends come next is remembered: a text may hold many commands, and few letters or none.
 */
export class CommandLetters {
  readonly #units: Units;
  #lineEnd = -1;
  /** Where the next letter stands with a password, looked for from a place on. */
  #next = -1;
  #from = 0;

  constructor(
    units: Units,
    private readonly letter: number,
    private readonly atMost: number,
    /** Where a password begins behind a letter, -1 where none does. */
    private readonly passwordStart: (units: Units, at: number) => number,
  ) {
    this.#units = units;
  }

  /** Where the password of a command begins that ends at a place. A letter at once behind it counts where no other follows. */
  passwordOf(end: number): number {
    if (!isBlank(this.#units.at(end))) return nowhere;
    const next = this.#nextFrom(end + 1);
    const isNear = next <= end + 1 + this.atMost && this.#lineEndFrom(end + 1) >= next;
    return this.#passwordAt(isNear ? next : end);
  }

  #nextFrom(from: number): number {
    if (from >= this.#from && from <= this.#next) return this.#next;
    this.#next =
      from > this.#next
        ? this.#find(from, this.#units.length)
        : Math.min(this.#find(from, this.#from), this.#next);
    this.#from = from;
    return this.#next;
  }

  #find(from: number, to: number): number {
    for (let at = from; at < to; at += 1)
      if (this.#units.at(at + 1) === hyphen && this.#passwordAt(at) !== nowhere) return at;
    return Infinity;
  }

  /** Behind a letter whose blank stands at a place. */
  #passwordAt(at: number): number {
    const units = this.#units;
    return units.at(at + 1) === hyphen && units.at(at + 2) === this.letter && isBlank(units.at(at))
      ? this.passwordStart(units, at + 3)
      : nowhere;
  }

  #lineEndFrom(from: number): number {
    if (from > this.#lineEnd) {
      const end = this.#units.text.indexOf('\n', from);
      this.#lineEnd = end === -1 ? this.#units.length : end;
    }
    return this.#lineEnd;
  }
}
