import { judged, looksCredential } from '../doubtful.js';
import type { FoundSpan, Span } from '../span.js';
import { inSource, type Rule, type View } from '../view.js';

/** Values that stand before the name of their field: `"…" == password`, `'…'.equals(doc['password'].value)`. */
export const turnedComparisons: Rule = {
  name: 'turned-comparisons',
  find: (view) =>
    turned(view, (name, value) => {
      const says = judged(name);
      return says === 'strong' || (says !== 'none' && looksCredential(value, says));
    }),
};

/** A closing mark, of a list too, or a number, what compares, and a name: in a call, of a document or in the parameters of a script. */
const comparison =
  /(?:["'`]\]?|\b\d{4,20}(?=\s{0,4}[=!<>]))(?:\s{0,4}(?:[=!]={1,2}|<>|=~)\s{0,4}|\s{1,4}(?:[<>]=?|=)\s{1,4}|\s{1,4}[iI][nN]~?\s{0,4}(?=\()|\s{1,4}[aA][sS]\s{1,4}|\.(?:equals|equalsIgnoreCase|contains|startsWith|endsWith|matches|compareTo)\()(?:[$A-Za-z_]{0,30}[([]\s{0,2}){0,3}["'`]?([A-Za-z][\w.-]{1,120})/g;
const longest = 512;

/** All such values that are accepted for those of the name. */
export function turned(view: View, accept: (name: string, value: string) => boolean): FoundSpan[] {
  const { plain } = view;
  const spans: FoundSpan[] = [];
  let after = 0;
  comparison.lastIndex = 0;
  for (let found = comparison.exec(plain); found !== null; found = comparison.exec(plain)) {
    const name = found[1] ?? '';
    for (const { start, end } of valuesBefore(plain, found, after))
      if (start < end && accept(name, plain.slice(start, end))) spans.push(inSource(view, start, end));
    after = comparison.lastIndex;
  }
  return spans;
}

/** Behind the mark that opens what the one at a place closes; that place where there is none. */
function behindMark(plain: string, at: number): number {
  const before = plain.slice(Math.max(0, at - longest), at);
  const opening = before.lastIndexOf(plain[at] ?? '"');
  return opening === -1 ? at : at - before.length + opening + 1;
}

function valuesBefore(plain: string, { 0: text, index }: RegExpExecArray, after: number): readonly Span[] {
  const digits = /^\d+/.exec(text)?.[0].length ?? 0;
  if (digits > 0) return [{ start: index, end: index + digits }];
  return text[1] === ']'
    ? listBefore(plain, index, after)
    : [{ start: behindMark(plain, index), end: index }];
}

const quoted = /(["'`])([^"'`]*)(?:\1|$)/g;

/** The strings of the list whose last one's mark stands at a place, behind another. */
function listBefore(plain: string, at: number, after: number): readonly Span[] {
  const before = plain.slice(Math.max(after, at - longest), at);
  const from = at - before.length + before.lastIndexOf('[') + 1;
  return Array.from(plain.slice(from, at).matchAll(quoted), ({ 2: value = '', index }) => ({
    start: from + index + 1,
    end: from + index + 1 + value.length,
  }));
}
