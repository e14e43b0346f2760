import { Units } from '../units.js';

/** What begins alike, letter by letter. */
class Beginning<T> {
  /** What stands behind all prefixes that end here or earlier, in the order in which they were added. */
  readonly values: T[] = [];
  readonly longer: Beginning<T>[] = [];

  constructor(readonly lastCode: number) {}

  /** Most go on with one character, few with several: no map is as fast. */
  withNext(code: number): Beginning<T> | undefined {
    const { longer } = this;
    for (let place = 0; place < longer.length; place += 1)
      if (longer[place]?.lastCode === code) return longer[place];
    return undefined;
  }
}

const placeOf = (first: number, second: number): number => (first << 7) | second;

/** Prefixes of two characters of ASCII or more, looked up in the midst of a text: at every word, so none is compared with it. */
export class PrefixTrie<T> {
  /** By the first two characters: one more than the place among the starts, 0 where there is none. */
  readonly #byStart = new Uint16Array(1 << 14);
  readonly #starts: Beginning<T>[] = [];
  readonly #none: readonly T[] = [];

  constructor(entries: readonly { readonly prefix: string; readonly value: T }[]) {
    for (const { prefix } of entries) this.#addPrefix(prefix);
    for (const { prefix, value } of entries) addBehind(this.#longestAt(new Units(prefix), 0), value);
  }

  /** The values of all prefixes that stand at a place, in the order in which they were added. */
  at(units: Units, at: number): readonly T[] {
    return this.#longestAt(units, at)?.values ?? this.#none;
  }

  #longestAt(units: Units, at: number): Beginning<T> | undefined {
    const first = units.at(at);
    const second = units.at(at + 1);
    const start = first < 128 && second < 128 ? (this.#byStart[placeOf(first, second)] ?? 0) : 0;
    if (start === 0) return undefined;
    let beginning = this.#starts[start - 1];
    for (let next = at + 2, longer = beginning; longer !== undefined; next += 1) {
      beginning = longer;
      longer = beginning.withNext(units.at(next));
    }
    return beginning;
  }

  #addPrefix(prefix: string): void {
    let beginning = this.#startOf(prefix.charCodeAt(0), prefix.charCodeAt(1));
    for (let at = 2; at < prefix.length; at += 1) {
      const code = prefix.charCodeAt(at);
      const longer: Beginning<T> = beginning.withNext(code) ?? new Beginning<T>(code);
      if (!beginning.longer.includes(longer)) beginning.longer.push(longer);
      beginning = longer;
    }
  }

  #startOf(first: number, second: number): Beginning<T> {
    const place = placeOf(first, second);
    const known = this.#starts[(this.#byStart[place] ?? 0) - 1];
    if (known !== undefined) return known;
    const start = new Beginning<T>(second);
    this.#byStart[place] = this.#starts.push(start);
    return start;
  }
}

function addBehind<T>(beginning: Beginning<T> | undefined, value: T): void {
  if (beginning === undefined) return;
  beginning.values.push(value);
  for (const longer of beginning.longer) addBehind(longer, value);
}
