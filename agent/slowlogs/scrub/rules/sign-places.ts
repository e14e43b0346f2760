import type { Units } from '../units.js';
import { Alphabet } from './runs.js';
import { isAt } from './words-at.js';

/** A sign that few texts hold, of what is looked for. */
export interface Sign {
  readonly sign: string;
  /** What stands before the sign and behind its first character, as an expression puts it between brackets; of ASCII, or nothing. */
  readonly before?: string;
  readonly after?: string;
  /** So far behind the sign's first character one of others stands. Most places are ruled out by that. */
  readonly far?: readonly [distance: number, brackets: string];
  /** Where what is looked for begins by its sign, -1 where that is none of it. */
  start(units: Units, at: number): number;
}

/** A word of which nothing else is told. */
export const wordSign = (sign: string): Sign => ({ sign, start: (_, at) => at });

/** Of ASCII; what is not of it, and the text's ends, count as the character 0. */
const width = 128;
const placeOf = (code: number, neighbour: number): number =>
  code * width + (neighbour < width ? neighbour : 0);

/** Leaves nothing out. */
const anything = '[^]';

/**
 * Looks for many signs in one pass. Which of them a character may begin is told by its neighbours, from tables: each has
 * a bit there.
 */
export class SignPlaces {
  readonly #after = new Int32Array(width * width);
  readonly #before = new Int32Array(width * width);
  readonly #distances: Int32Array;
  readonly #ofFar: readonly Alphabet[];

  readonly #signs: readonly Sign[];
  readonly #groupOf: Int32Array;
  readonly #groups: number;

  /** Up to 32, in groups. Those of a group begin as far from their places as each other. */
  constructor(groups: readonly (readonly Sign[])[]) {
    const signs = groups.flat();
    this.#signs = signs;
    this.#groups = groups.length;
    this.#groupOf = Int32Array.from(groups.flatMap((group, index) => group.map(() => index)));
    this.#distances = Int32Array.from(signs, ({ far }) => far?.[0] ?? 0);
    this.#ofFar = signs.map(({ far }) => Alphabet.of(far?.[1] ?? anything));
    signs.forEach(({ sign, before, after }, index) => {
      const code = sign.charCodeAt(0);
      const next = sign.length > 1 ? sign.charCodeAt(1) : -1;
      for (let neighbour = 0; neighbour < width; neighbour += 1) {
        const place = placeOf(code, neighbour);
        const isAfter = next === -1 ? has(after, neighbour) : neighbour === next;
        if (isAfter) this.#after[place] = (this.#after[place] ?? 0) | (1 << index);
        if (has(before, neighbour)) this.#before[place] = (this.#before[place] ?? 0) | (1 << index);
      }
    });
  }

  /** Of each group the places where what has one of its signs may begin, from first to last. */
  in(units: Units): readonly (readonly number[])[] {
    const found: number[][] = Array.from({ length: this.#groups }, () => []);
    for (let at = 0; at < units.length; at += 1) {
      const code = units.at(at);
      const begun = code < width ? (this.#after[placeOf(code, units.at(at + 1))] ?? 0) : 0;
      if (begun !== 0) this.#add(units, at, begun, found);
    }
    return found;
  }

  #add(units: Units, at: number, begun: number, found: readonly number[][]): void {
    let left = begun & (this.#before[placeOf(units.at(at), units.at(at - 1))] ?? 0);
    while (left !== 0) {
      const index = 31 - Math.clz32(left);
      left &= ~(1 << index);
      const distance = this.#distances[index] ?? 0;
      if (distance !== 0 && this.#ofFar[index]?.has(units.at(at + distance)) !== true) continue;
      const sign = this.#signs[index];
      if (sign === undefined || (sign.sign.length > 1 && !isAt(units, at, sign.sign))) continue;
      const start = sign.start(units, at);
      if (start !== -1) found[this.#groupOf[index] ?? 0]?.push(start);
    }
  }
}

const has = (brackets: string | undefined, code: number): boolean =>
  brackets === undefined || new RegExp(brackets).test(String.fromCharCode(code));
