import type { PiiSpan } from '../entities.js';
import { referenceRecognizers, type ReferenceRecognizer } from './patterns.js';

const stopWords = new Set(
  (
    'a an the is are was were be been being am and or of to in on at for by with from as it its this that these those my ' +
    'your our their his her i you we he she they me us them not no do does did has have had but if so than then there ' +
    'here what which who when where how why all any can will would should could may might must just also about into ' +
    'call give go made make move show take ' +
    'over under again very too own same such only out up down off now please'
  ).split(' '),
);

const order = new Map(referenceRecognizers.map(({ entity }, at) => [entity, at]));

/**
 * The reference's raw list for its entities: no threshold, no overlaps resolved between entities, best score
 * first. A span within a better one of the same entity is omitted.
 */
export function recognizeAsReference(text: string): PiiSpan[] {
  const found = referenceRecognizers.flatMap((recognizer) =>
    recognizer.find(text).map((span) => inReferenceContext(text, span, recognizer)),
  );
  return withoutContained(found.sort(byReferenceOrder), text.length);
}

function inReferenceContext(text: string, span: PiiSpan, { context }: ReferenceRecognizer): PiiSpan {
  if (span.score >= 1) return span;
  const words =
    text
      .slice(Math.max(0, span.start - 160), span.start)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  const telling = words.filter((word) => !stopWords.has(word)).slice(-5);
  if (!telling.some((word) => context.some((part) => word.includes(part)))) return span;
  return { ...span, score: Math.round(Math.min(1, Math.max(0.4, span.score + 0.35)) * 100) / 100 };
}

function byReferenceOrder(a: PiiSpan, b: PiiSpan): number {
  const byType = (order.get(a.type) ?? 0) - (order.get(b.type) ?? 0);
  return b.score - a.score || a.start - b.start || b.end - a.end || byType;
}

/**
 * Omits spans within an earlier span of the same entity. Each unit remembers the first span that covers it,
 * so the cost is the length of the spans, not the square of their number.
 */
function withoutContained(spans: readonly PiiSpan[], textLength: number): PiiSpan[] {
  const ownersOf = new Map<string, Int32Array>();
  return spans.filter(({ type, start, end }, at) => {
    const owners = ownersOf.get(type) ?? new Int32Array(textLength);
    ownersOf.set(type, owners);
    const owner = owners[start];
    if (owner !== 0 && owner === owners[end - 1]) return false;
    for (let unit = start; unit < end; unit++) owners[unit] ||= at + 1;
    return true;
  });
}
