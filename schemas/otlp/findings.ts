import { markedDigits } from './exact-number.js';

/**
 * Findings of reading a span. Nothing is thrown: a body may contain millions of refused spans, and with an exception
 * for each a client could keep the reader busy.
 */
export class Findings {
  /** The first thing that makes the span unusable. */
  problem: string | undefined;
  /** Whether JSON.parse has rounded a number: then the text must be parsed again without loss. */
  rounded = false;
  /** Characters of text so far, to limit the size of blocks and records. */
  characters = 0;

  note(problem: string): void {
    this.problem ??= problem;
  }

  /** Resets it for the next span. */
  clear(): void {
    this.problem = undefined;
    this.characters = 0;
  }
}

/** A value as quoted in a reason: short, and never a whole document. */
export function quoted(value: unknown): string {
  if (value === undefined) return 'missing';
  const text =
    typeof value === 'object' && value !== null
      ? Array.isArray(value)
        ? 'an array'
        : 'an object'
      : (markedDigits(value) ?? JSON.stringify(value));
  return text.length <= 48 ? text : `${text.slice(0, 45)}...`;
}
