/**
 * Whether a text may hold one of some words, told by three letters at a time: no word is missed, though not each text
 * that passes holds one. It spares most names their reading. What is no letter is the same as what stands around a text.
 */
export class Trigrams {
  readonly #present = new Uint8Array(27 ** 3);

  /** Of each word its beginning and its end are known: separators in the midst of it hide neither. */
  constructor(words: Iterable<string>) {
    for (const word of words) {
      if (word.length >= 3) this.#mark(word.slice(0, 3)).#mark(word.slice(-3));
      else for (const before of ' abcdefghijklmnopqrstuvwxyz') this.#mark(before + word);
    }
  }

  mayBeIn(text: string): boolean {
    let last = (26 * 27 + 26) * 27;
    for (let at = 0; at < text.length; at += 1) {
      const place = (last % 19_683) + letterAt(text, at);
      if (this.#present[place] === 1) return true;
      last = place * 27;
    }
    return false;
  }

  #mark(letters: string): this {
    const place = Array.from({ length: 3 }, (_, at) => letterAt(letters, at));
    this.#present[place.reduce((sum, letter) => sum * 27 + letter, 0)] = 1;
    return this;
  }
}

/** 0 to 25, in either case; 26 for anything else. */
function letterAt(text: string, at: number): number {
  const letter = (text.charCodeAt(at) | 32) - 97;
  return letter >= 0 && letter < 26 ? letter : 26;
}
