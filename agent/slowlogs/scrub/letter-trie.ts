const width = 36;

/** 0 to 25 for a letter in either case, 26 to 35 for a digit, -1 for what separates words. */
const places = new Int8Array(128).fill(-1);
for (let place = 0; place < width; place += 1) {
  const unit = place.toString(width);
  const at = place < 10 ? 26 + place : place - 10;
  for (const either of [unit, unit.toUpperCase()]) places[either.charCodeAt(0)] = at;
}

/** What a trie knows a letter or digit by, in either case; negative for what separates words. */
export const placeOf = (code: number): number => (code < 128 ? (places[code] ?? -1) : -1);

/** Words that are looked up letter by letter in the midst of a text, without case. */
export class LetterTrie {
  readonly root = 0;
  /** Where no word goes on. */
  readonly none = -1;
  /** As small as may be: names are looked up all over it. */
  #children = new Int16Array(width).fill(-1);
  #marks = new Uint8Array(1);
  #nodes = 1;

  add(word: string, mark: number): void {
    let node = this.root;
    for (let at = 0; at < word.length; at += 1) {
      const slot = node * width + placeOf(word.charCodeAt(at));
      let child = this.#children[slot] ?? -1;
      if (child === -1) {
        child = this.#nodes;
        this.#nodes += 1;
        if (this.#marks.length < this.#nodes) this.#grow();
        this.#children[slot] = child;
      }
      node = child;
    }
    this.#marks[node] = (this.#marks[node] ?? 0) | mark;
  }

  #grow(): void {
    const children = new Int16Array(this.#children.length * 2).fill(-1);
    children.set(this.#children);
    this.#children = children;
    const marks = new Uint8Array(this.#marks.length * 2);
    marks.set(this.#marks);
    this.#marks = marks;
  }

  /** Where the letter or digit of a place leads. */
  next(node: number, place: number): number {
    return this.#children[node * width + place] ?? -1;
  }

  /** The marks of the word that ends at a node, 0 where none does. */
  markOf(node: number): number {
    return this.#marks[node] ?? 0;
  }
}

/** Whether a character is of a word: an ASCII letter or a digit. */
export const isOfWord = (code: number): boolean => placeOf(code) >= 0;
export const isLetter = (code: number): boolean => (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
export const isDigit = (code: number): boolean => code >= 48 && code <= 57;
