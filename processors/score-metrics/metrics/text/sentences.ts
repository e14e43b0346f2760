import type { Measure } from './analysed-text.js';
import { classOf, isSpace, isWord, unitsOf } from './character-classes.js';

/** A sentence with at most this many words does not count ("Hm. Yes."). */
const fewWords = 2;

export interface SentenceCounts {
  readonly whole: number;
  /** The same for the first hundred parts between white space. */
  readonly firstHundredParts: number;
}

const isEnd = (code: number): boolean => code === 0x2e || code === 0x21 || code === 0x3f; // . ! ?

/**
 * A sentence starts with a word character and ends after the next run of `.`, `!`, `?`. Its words are its
 * parts between white space that have a word character. Any text has at least one sentence.
 */
class SentenceCounter {
  private counted = 0;
  private open = false;
  private ended = false;
  private wordsInSentence = 0;
  private inWord = false;

  take(code: number, flags: number): void {
    if (isEnd(code)) {
      this.ended = true;
      return;
    }
    if (this.ended) this.close();
    if ((flags & isWord) !== 0) {
      this.open = true;
      if (!this.inWord) this.wordsInSentence += 1;
      this.inWord = true;
    } else if ((flags & isSpace) !== 0) this.inWord = false;
  }

  private close(): void {
    if (this.open && this.wordsInSentence > fewWords) this.counted += 1;
    this.open = this.ended = this.inWord = false;
    this.wordsInSentence = 0;
  }

  /** The count if the text ended here. */
  get count(): number {
    const last = this.open && this.wordsInSentence > fewWords ? 1 : 0;
    return Math.max(1, this.counted + last);
  }
}

export const sentenceCounts: Measure<SentenceCounts> = ({ text }) => {
  const counter = new SentenceCounter();
  let parts = 0;
  let inPart = false;
  let firstHundredParts: number | undefined;
  for (let at = 0; at < text.length;) {
    const code = text.codePointAt(at) ?? 0;
    const flags = classOf(code);
    const space = (flags & isSpace) !== 0;
    if (!space && !inPart) {
      if (parts === 100) firstHundredParts ??= counter.count;
      parts += 1;
    }
    inPart = !space;
    counter.take(code, flags);
    at += unitsOf(code);
  }
  return { whole: counter.count, firstHundredParts: firstHundredParts ?? counter.count };
};
