import type { FoundSpan } from '../span.js';
import { inSource, type View } from '../view.js';

/**
 * What an expression matches: its group `secret` where it has one, all of it otherwise. `accept` sees what was matched.
 * The expression must have the flag g. The group must be the last thing of its kind in what is matched: its place is
 * looked for from the end, as the flag d costs more than the match.
 */
export function matchesOf(
  view: View,
  expression: RegExp,
  accept: (match: RegExpExecArray) => boolean = () => true,
): FoundSpan[] {
  const spans: FoundSpan[] = [];
  expression.lastIndex = 0;
  for (let match = expression.exec(view.plain); match !== null; match = expression.exec(view.plain)) {
    const span = accept(match) ? spanOf(view, expression, match) : null;
    if (span !== null) spans.push(span);
  }
  return spans;
}

/** The same of an expression with the flag y, which is tried only where it may match, place after place. */
export function matchesAt(
  view: View,
  expression: RegExp,
  places: readonly number[],
  accept: (match: RegExpExecArray) => boolean = () => true,
): FoundSpan[] {
  const spans: FoundSpan[] = [];
  let next = 0;
  for (const place of places) {
    if (place < next) continue;
    expression.lastIndex = place;
    const match = expression.exec(view.plain);
    if (match === null) continue;
    const span = accept(match) ? spanOf(view, expression, match) : null;
    next = expression.lastIndex;
    if (span !== null) spans.push(span);
  }
  return spans;
}

/** What was matched, as far as the string of JSON goes that it begins in; the expression goes on behind it. */
export function spanOf(view: View, expression: RegExp, match: RegExpExecArray): FoundSpan | null {
  const whole = match[0];
  const secret = match.groups?.['secret'] ?? whole;
  if (secret === '') return null;
  const start = match.index + whole.lastIndexOf(secret);
  const end = Math.min(start + secret.length, view.stringEnd(start));
  if (end < start + secret.length) expression.lastIndex = Math.max(end, match.index + 1);
  return inSource(view, start, end);
}
