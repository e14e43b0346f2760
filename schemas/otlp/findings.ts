import { markedDigits } from './exact-number.js';

/**
 * What reading a span has found beside the span. Nothing is thrown: a body may hold millions of spans that are refused,
 * and an exception for each would let anybody keep the reader busy.
 */
export class Findings {
  /** The first thing that makes the span unusable. */
  problem: string | undefined;
  /** A number was met that JSON.parse has rounded: the text must be read again, without loss. */
  rounded = false;
  /** Characters of text seen, for keeping blocks and records to a size. */
  characters = 0;

  note(problem: string): void {
    this.problem ??= problem;
  }

  /** Ready for the next span. */
  clear(): void {
    this.problem = undefined;
    this.characters = 0;
  }
}

/** A value as a reason may quote it: short, and never a whole document. */
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
