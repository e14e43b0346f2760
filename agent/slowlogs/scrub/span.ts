/** What stands where a credential stood. */
export const marker = '[redacted]';

/** A stretch of a text: from, up to but without `end`, in UTF-16 units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

class MadeSpan implements Span {
  constructor(
    readonly start: number,
    readonly end: number,
  ) {}
}

/**
 * Of a class, as rules make one for every other word of a text: V8 takes literals for one shape with all of the process
 * that begin alike, and once another holds no whole number there, reads ours by the slowest way it has.
 */
export const spanOf = (start: number, end: number): Span => new MadeSpan(start, end);

export interface FoundSpan extends Span {
  /** What stands in its place; a marker without quotation marks by default. */
  readonly replacement?: string;
}
