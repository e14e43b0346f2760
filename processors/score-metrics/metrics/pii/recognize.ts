import { inAsciiForms } from './ascii-forms.js';
import { contextRule, inContext } from './context.js';
import type { PiiEntity, PiiSpan } from './entities.js';
import { withoutOverlaps } from './overlaps.js';
import { recognizers } from './recognizers/all.js';
import { shapeOf } from './text-shape.js';

export interface RecognitionOptions {
  /** Spans with a lower score are omitted; 0 keeps all but those that score 0. */
  readonly threshold: number;
  /** Whether only the best of the spans that share a character is kept. */
  readonly resolveOverlaps: boolean;
  /** Only these entities; all if absent. */
  readonly entities?: ReadonlySet<PiiEntity>;
}

export const cleanMode: RecognitionOptions = { threshold: 0.35, resolveOverlaps: true };

const ruled = recognizers.map((recognizer) => ({ recognizer, rule: contextRule(recognizer.context) }));

/**
 * The entities of a text, in its order. Pure; never throws; linear in the length of the text except for sorting the
 * results.
 */
export function recognizePii(text: string, options: RecognitionOptions = cleanMode): PiiSpan[] {
  const written = shapeOf(text);
  const searched = written.isAscii ? text : inAsciiForms(text);
  const shape = searched === text ? written : shapeOf(searched);
  const found: PiiSpan[] = [];
  for (const { recognizer, rule } of ruled) {
    if (options.entities?.has(recognizer.entity) === false || !recognizer.mayOccurIn(shape)) continue;
    for (const candidate of recognizer.find(searched)) {
      const span = inContext(searched, candidate, rule);
      if (span.score > 0 && span.score >= options.threshold) found.push(span);
    }
  }
  return options.resolveOverlaps
    ? withoutOverlaps(found, text.length)
    : found.sort((a, b) => a.start - b.start);
}
