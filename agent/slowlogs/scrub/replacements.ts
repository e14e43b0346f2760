import { marker, type FoundSpan, type Span } from './span.js';

export interface Scrubbed {
  readonly text: string;
  /** Where the replacements stand in it, in order. */
  readonly replacements: readonly Span[];
}

/** By where they begin, the longer first. */
export const inOrder = <Found extends FoundSpan>(spans: readonly Found[]): readonly Found[] =>
  spans.filter(({ start, end }) => end > start).sort((a, b) => a.start - b.start || b.end - a.end);

/** Spans in order, those that overlap as one: the first of them says what replaces it. */
export function merged(spans: readonly FoundSpan[]): readonly FoundSpan[] {
  const result: FoundSpan[] = [];
  for (const span of spans) {
    const last = result.at(-1);
    if (last === undefined || span.start >= last.end) result.push(span);
    else if (span.end > last.end) result[result.length - 1] = { ...last, end: span.end };
  }
  return result;
}

/** A text with its spans replaced, which are in order and do not overlap. They count from `origin`. */
export function replaced(source: string, spans: readonly FoundSpan[], origin = 0): Scrubbed {
  const pieces: string[] = [];
  const replacements: Span[] = [];
  let taken = 0;
  let length = 0;
  const add = (piece: string): void => {
    pieces.push(piece);
    length += piece.length;
  };
  for (const { start, end, replacement = marker } of spans) {
    add(source.slice(taken, start - origin));
    replacements.push({ start: length, end: length + replacement.length });
    add(replacement);
    taken = end - origin;
  }
  add(source.slice(taken));
  return { text: pieces.join(''), replacements };
}
