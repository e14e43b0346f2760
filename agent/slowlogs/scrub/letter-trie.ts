const width = 36;

/** 0 to 25 for a letter in either case, 26 to 35 for a digit, -1 for what separates words. */
const places = new Int8Array(128).fill(-1);
for (let place = 0; place < width; place += 1) {
  const unit = place.toString(width);
  const at = place < 10 ? 26 + place : place - 10;
  for (const either of [unit, unit.toUpperCase()]) places[either.charCodeAt(0)] = at;
}
const placeOf = (code: number): number => (code < 128 ? (places[code] ?? -1) : -1);

/** Words that are looked up letter by letter in the midst of a text, without case. */
export class LetterTrie {
  readonly root = 0;
  /** Where no word goes on. */
  readonly none = -1;
  /** As small as may be: names are looked up all over it. */
  #children = new Int16Array(width).fill(-1);
  readonly #marks: number[] = [0];

  add(word: string, mark: number): void {
    let node = this.root;
    for (let at = 0; at < word.length; at += 1) {
      const slot = node * width + placeOf(word.charCodeAt(at));
      let child = this.#children[slot] ?? -1;
      if (child === -1) {
        child = this.#marks.length;
        this.#marks.push(0);
        if (this.#children.length < this.#marks.length * width) this.#grow();
        this.#children[slot] = child;
      }
      node = child;
    }
    this.#marks[node] = (this.#marks[node] ?? 0) | mark;
  }

  #grow(): void {
    const longer = new Int16Array(this.#children.length * 2).fill(-1);
    longer.set(this.#children);
    this.#children = longer;
  }

  next(node: number, code: number): number {
    return this.#children[node * width + placeOf(code)] ?? -1;
  }

  /** The marks of the word that ends at a node, 0 where none does. */
  markOf(node: number): number {
    return this.#marks[node] ?? 0;
  }
}

/** Whether a character is of a word: an ASCII letter or a digit. */
export const isOfWord = (code: number): boolean => placeOf(code) !== -1;

const isUpper = (code: number): boolean => code >= 65 && code <= 90;
const isLower = (code: number): boolean => code >= 97 && code <= 122;
export const isDigit = (code: number): boolean => code >= 48 && code <= 57;

/**
 * Whether a word begins at a letter or digit of a name: at the name's beginning, behind what separates words, where a
 * capital follows a small letter or the last of several capitals is followed by one, and where digits end the name.
 */
export function startsWord(text: string, from: number, at: number, to: number): boolean {
  const before = at === from ? -1 : text.charCodeAt(at - 1);
  if (!isOfWord(before)) return true;
  const here = text.charCodeAt(at);
  if (isUpper(here))
    return isLower(before) || (isUpper(before) && at + 1 < to && isLower(text.charCodeAt(at + 1)));
  if (!isDigit(here) || isDigit(before)) return false;
  let end = at + 1;
  while (end < to && isDigit(text.charCodeAt(end))) end += 1;
  return end === to;
}
