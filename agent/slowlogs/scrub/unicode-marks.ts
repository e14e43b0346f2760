import { Rows } from './rows.js';
import type { FoundSpan } from './span.js';

const [inJson, byNginx] = ['u0022', 'x22'];
const spellings = [inJson, byNginx];
/** A backslash, as nginx writes it. */
const backslashByNginx = 'x5C';
const [backslash, letterX] = [92, 120];
const [start, end, sourceStart, sourceEnd] = [0, 1, 2, 3];

/**
 * A text with the quotation marks of its JSON as backslashes escape them, where they were written by their number as
 * System.Text.Json does, or nginx where it logs a body: `\u0022` and `\x22` are `\"`, and one that was escaped twice,
 * `\\u0022`, is `\\\"`. How deep a mark is shows by its backslashes then. What is found leads back to the text as it was.
 */
export class UnicodeMarks {
  readonly text: string;
  /** Where each such mark, and each backslash written so, stands with the backslashes before it in `text` and in the source. */
  readonly #marks = new Rows(4);

  constructor(source: string) {
    let text = '';
    let taken = 0;
    const found = new Spelt(source);
    while (found.next(taken)) {
      text += source.slice(taken, found.start);
      for (taken = found.start; taken < found.end;) {
        const isMark = taken === found.own;
        const written = isMark ? `${'\\'.repeat(found.backslashes)}"` : '\\'.repeat(found.backslashes + 1);
        const behind = isMark ? found.end : source.indexOf(backslashByNginx, taken) + backslashByNginx.length;
        this.#add(text.length, written.length, taken, behind);
        text += written;
        taken = behind;
      }
    }
    this.text = taken === 0 ? source : text + source.slice(taken);
  }

  #add(from: number, length: number, sourceFrom: number, sourceTo: number): void {
    const marks = this.#marks;
    const mark = marks.add();
    marks.set(mark, start, from);
    marks.set(mark, end, from + length);
    marks.set(mark, sourceStart, sourceFrom);
    marks.set(mark, sourceEnd, sourceTo);
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

/** Marks that a text writes by their number, one after the other. */
class Spelt {
  /** Where the mark begins with all backslashes before it, and with those that escape it alone. */
  start = 0;
  own = 0;
  end = 0;
  /** How many escape the mark where they are written as they are. */
  backslashes = 0;
  /** Where each spelling comes next, the text's end where it does not. */
  readonly #next = [-1, -1];

  constructor(private readonly source: string) {}

  /** Goes on to the next one behind a place; false where there is none. */
  next(from: number): boolean {
    for (let at = this.#firstFrom(from); at < this.source.length; at = this.#firstFrom(at + 1)) {
      this.own = backslashesFrom(this.source, at, from);
      if (this.own === at) continue;
      const isByNginx = this.source.charCodeAt(at) === letterX;
      this.start = isByNginx ? this.#bodyBackslashesFrom(from) : this.own;
      this.end = at + (isByNginx ? byNginx : inJson).length;
      this.backslashes = backslashesFor(at - this.own);
      return true;
    }
    return false;
  }

  #firstFrom(place: number): number {
    const next = this.#next;
    for (let spelling = 0; spelling < spellings.length; spelling += 1) {
      if ((next[spelling] ?? 0) >= place) continue;
      const at = this.source.indexOf(spellings[spelling] ?? '', place);
      next[spelling] = at === -1 ? this.source.length : at;
    }
    return Math.min(next[0] ?? 0, next[1] ?? 0);
  }

  /** Those of the body itself are written by their number as well: `\x5C\x22` is `\\\"`. */
  #bodyBackslashesFrom(least: number): number {
    const { source } = this;
    let from = this.own;
    for (let at = from - backslashByNginx.length; at > least; at = from - backslashByNginx.length) {
      const own = source.startsWith(backslashByNginx, at) ? backslashesFrom(source, at, least) : at;
      if (own === at) break;
      from = own;
    }
    return from;
  }
}

/** Where the backslashes begin that end at a place. */
function backslashesFrom(source: string, end: number, least: number): number {
  let from = end;
  while (from > least && source.charCodeAt(from - 1) === backslash) from -= 1;
  return from;
}

/**
 * How many backslashes stand before a mark that is written by its number behind so many: an odd number of them are an
 * escape already, of an even number half are left when the text is unescaped once.
 */
function backslashesFor(count: number): number {
  return count % 2 === 1 ? count : 2 * backslashesFor(count / 2) + 1;
}
