import { markedDigits } from './exact-number.js';

/**
 * The findings from reading a span. Nothing is thrown: a body can contain millions of refused spans, and with
 * an exception for each, a client could keep the reader busy.
 */
export class Findings {
  /** The first thing that makes the span unusable. */
  problem: string | undefined;
  /** Whether JSON.parse has rounded a number, so that the text must be parsed again without loss. */
  rounded = false;
  /** Characters of text so far, to limit the size of blocks and records. */
  characters = 0;

  note(problem: string): void {
    this.problem ??= problem;
  }

  /** Resets the findings of a span before the next one. */
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
