import { Rows } from './rows.js';
import type { FoundSpan } from './span.js';

const spelling = 'u0022';
const backslash = 92;
const [start, end, sourceStart, sourceEnd] = [0, 1, 2, 3];

/**
 * A text with the quotation marks of its JSON as backslashes escape them, where they were written by their number as
 * System.Text.Json does: `\u0022` is `\"`, and one that was escaped twice, `\\u0022`, is `\\\"`. How deep a mark is shows
 * by its backslashes then. What is found leads back to the text as it was.
 */
export class UnicodeMarks {
  readonly text: string;
  /** Where each such mark stands, with the backslashes before it, in `text` and in the source. */
  readonly #marks = new Rows(4);

  constructor(source: string) {
    let text = '';
    let taken = 0;
    for (let at = source.indexOf(spelling); at !== -1; at = source.indexOf(spelling, at + 1)) {
      let from = at;
      while (from > taken && source.charCodeAt(from - 1) === backslash) from -= 1;
      if (from === at) continue;
      text += source.slice(taken, from);
      const mark = this.#marks.add();
      this.#marks.set(mark, start, text.length);
      text += '\\'.repeat(backslashesFor(at - from)) + '"';
      taken = at + spelling.length;
      this.#marks.set(mark, end, text.length);
      this.#marks.set(mark, sourceStart, from);
      this.#marks.set(mark, sourceEnd, taken);
    }
    this.text = taken === 0 ? source : text + source.slice(taken);
  }

  /** Spans of `text` as those of the source. */
  inSource<Found extends FoundSpan>(spans: readonly Found[]): readonly Found[] {
    return this.#moved(spans, start, end, sourceStart, sourceEnd);
  }

  /** Spans of the source as those of `text`. */
  fromSource<Found extends FoundSpan>(spans: readonly Found[]): readonly Found[] {
    return this.#moved(spans, sourceStart, sourceEnd, start, end);
  }

  #moved<Found extends FoundSpan>(
    spans: readonly Found[],
    from: number,
    to: number,
    newFrom: number,
    newTo: number,
  ): readonly Found[] {
    const marks = this.#marks;
    if (marks.length === 0) return spans;
    /** What stands before a mark's own backslashes is as long in both. */
    const moved = (at: number): number => {
      const mark = this.#lastFrom(from, at);
      if (mark === -1) return at;
      const behind = at - marks.get(mark, to);
      if (behind >= 0) return marks.get(mark, newTo) + behind;
      return Math.min(marks.get(mark, newFrom) + at - marks.get(mark, from), marks.get(mark, newTo));
    };
    return spans.map((span) => ({ ...span, start: moved(span.start), end: moved(span.end) }));
  }

  /** The last mark that begins at a place or before it, by a column; -1 where none does. */
  #lastFrom(column: number, at: number): number {
    let low = -1;
    let high = this.#marks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#marks.get(middle, column) <= at) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/**
 * How many backslashes stand before a mark that is written by its number behind so many: an odd number of them are an
 * escape already, of an even number half are left when the text is unescaped once.
 */
function backslashesFor(count: number): number {
  return count % 2 === 1 ? count : 2 * backslashesFor(count / 2) + 1;
}
