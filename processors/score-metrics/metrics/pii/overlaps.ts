import type { PiiSpan } from './entities.js';

/**
 * Of spans that share a character only one stays: the one with the better score, then the longer, then the
 * earlier. The result is in the order of the text.
 */
export function withoutOverlaps(spans: readonly PiiSpan[], textLength: number): PiiSpan[] {
  if (spans.length < 2) return [...spans];
  const taken = new Uint8Array(textLength);
  const kept: PiiSpan[] = [];
  for (const span of [...spans].sort(byMerit)) {
    if (taken.subarray(span.start, span.end).includes(1)) continue;
    taken.fill(1, span.start, span.end);
    kept.push(span);
  }
  return kept.sort((a, b) => a.start - b.start);
}

function byMerit(a: PiiSpan, b: PiiSpan): number {
  return b.score - a.score || b.end - b.start - (a.end - a.start) || a.start - b.start;
}
