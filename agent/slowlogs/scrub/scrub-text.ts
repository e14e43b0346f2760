import { looksRandom } from './randomness.js';
import { namedRules, shapeRules } from './rules/all.js';
import { marker, viewOf, type FoundSpan, type Span } from './view.js';

export interface Scrubbed {
  readonly text: string;
  /** Where the replacements stand in it, in order. */
  readonly replacements: readonly Span[];
}

/** Replaces every credential in a text. Pure; linear in its length. */
export function scrubText(source: string): Scrubbed {
  const view = viewOf(source);
  const named = namedRules.flatMap((rule) => rule.find(view));
  const spans = [...named, ...repetitions(source, named), ...shapeRules.flatMap((rule) => rule.find(view))];
  const pieces: string[] = [];
  const replacements: Span[] = [];
  let taken = 0;
  let length = 0;
  const add = (piece: string): void => {
    pieces.push(piece);
    length += piece.length;
  };
  for (const { start, end, replacement = marker } of merged(spans)) {
    add(source.slice(taken, start));
    replacements.push({ start: length, end: length + replacement.length });
    add(replacement);
    taken = end;
  }
  add(source.slice(taken));
  return { text: pieces.join(''), replacements };
}

/** Spans in order, those that overlap as one. The first of them, and the longest of those, says what replaces it. */
function merged(spans: readonly FoundSpan[]): FoundSpan[] {
  const sorted = spans
    .filter(({ start, end }) => end > start)
    .sort((a, b) => a.start - b.start || b.end - a.end);
  const result: FoundSpan[] = [];
  for (const span of sorted) {
    const last = result.at(-1);
    if (last === undefined || span.start >= last.end) result.push(span);
    else if (span.end > last.end) result[result.length - 1] = { ...last, end: span.end };
  }
  return result;
}

const repetitionsAtMost = 20;

/** What was a credential where a name said so is one where none does. */
function repetitions(source: string, named: readonly FoundSpan[]): Span[] {
  const values = named.map(({ start, end }) => source.slice(start, Math.min(end, start + 512)));
  const distinct = new Set(values.filter((value) => looksRandom(value, 12)));
  return [...distinct].slice(0, repetitionsAtMost).flatMap((value) => {
    const spans: Span[] = [];
    for (let at = source.indexOf(value); at !== -1; at = source.indexOf(value, at + value.length)) {
      spans.push({ start: at, end: at + value.length });
    }
    return spans;
  });
}
