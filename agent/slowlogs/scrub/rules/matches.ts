import { inSource, type FoundSpan, type View } from '../view.js';

/**
 * What an expression matches: its group `secret` where it has one, all of it otherwise. `accept` sees what was matched.
 * The expression must have the flag g, and d where it has the group.
 */
export function matchesOf(
  view: View,
  expression: RegExp,
  accept: (match: RegExpExecArray) => boolean = () => true,
): FoundSpan[] {
  const spans: FoundSpan[] = [];
  for (const match of view.plain.matchAll(expression)) {
    if (!accept(match)) continue;
    const [start, end] = match.indices?.groups?.['secret'] ?? [match.index, match.index + match[0].length];
    if (end > start) spans.push(inSource(view, start, end));
  }
  return spans;
}
