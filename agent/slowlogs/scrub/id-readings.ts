import { withoutEscapes } from './escapes.js';
import { backslashesBefore, depthOf, unescaped } from './json-strings.js';
import type { FoundSpan, Span } from './span.js';
import type { View } from './view.js';

/** Where an id stands, and what it is without the escapes of what it stands in: the same id has one digest everywhere. */
export interface FoundId extends FoundSpan {
  readonly id: string;
}

const quotationMark = 34;

/** An id that is a string or another scalar of JSON, or a key. */
export function inJson(source: string, span: FoundSpan): FoundId {
  const mark = span.start - 1;
  const levels = source.charCodeAt(mark) === quotationMark ? depthOf(backslashesBefore(source, mark)) + 1 : 0;
  return { ...span, id: withoutJsonEscapes(source, span, levels) };
}

/** An id in a query or a script, which escapes by itself what it may hold, maybe in a string of JSON. */
export function inText(view: View, span: Span, mark: string): FoundId {
  const strings = view.tokens();
  const at = strings.firstEndingFrom(span.start);
  const isInString = at < strings.length && strings.isString(at) && strings.startOf(at) <= span.start;
  const levels = isInString ? strings.at(at).depth + 1 : 0;
  return { ...span, id: withoutOwnEscapes(withoutJsonEscapes(view.source, span, levels), mark) };
}

/** What was cut off within an escape, or is no JSON, is read as a view does. */
function withoutJsonEscapes(source: string, { start, end }: Span, levels: number): string {
  const text = source.slice(start, end);
  return unescaped(text, levels) ?? withoutEscapes(text);
}

/**
 * In Lucene's syntax, in ES|QL and in EQL a backslash escapes what follows it; in single marks Painless escapes only the
 * mark and the backslash, and SQL writes the mark twice. Between three marks nothing is escaped.
 */
function withoutOwnEscapes(text: string, mark: string): string {
  if (mark.length === 3) return text;
  if (mark === "'") return text.replace(/\\([\\'])|''/g, (_, escaped?: string) => escaped ?? "'");
  return text.replace(/\\(?:u([0-9A-Fa-f]{4})|([^]))/g, (_, code?: string, escaped?: string) =>
    code === undefined ? (escaped ?? '') : String.fromCharCode(Number.parseInt(code, 16)),
  );
}
