/** What stands where a credential stood. */
export const marker = '[redacted]';

/** A stretch of a text: from, up to but without `end`, in UTF-16 units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface FoundSpan extends Span {
  /** What stands in its place; a marker without quotation marks by default. */
  readonly replacement?: string;
}
