import { withoutEscapes } from './escapes.js';
import { opaque } from './identifiers.js';
import { idsInClauses } from './ids-in-clauses.js';
import { leavesNamed } from './named-leaves.js';
import { inOrder, merged, replaced } from './replacements.js';
import { Values } from './rules/assigned-values.js';
import { Operators } from './rules/operators.js';
import { NextMark } from './rules/reading.js';
import { marker, type FoundSpan } from './span.js';
import { UnicodeMarks } from './unicode-marks.js';
import { inSource, viewOf, type View } from './view.js';

const mayName = /routing|_id|ids?\\*"/;

/**
 * A search with the ids of documents and the routings that it looks for as they may leave the host: as its own id does
 * (identifiers.ts). Pure, and linear in its length.
 */
export function withoutIds(text: string, digestKey: string): string {
  const marks = new UnicodeMarks(text);
  const source = marks.text;
  if (!mayName.test(source)) return text;
  const view = viewOf(source);
  const leaves = leavesNamed(
    view,
    (start, end) => end > start,
    (key, from, to) => (names.has(key.slice(from, to)) ? 'id' : null),
    () => true,
  );
  const hidden = inOrder([...leaves, ...idsInClauses(view), ...assigned(view)]).flatMap((span) => {
    const id = withoutEscapes(source.slice(span.start, span.end));
    const shown = opaque(id, digestKey);
    if (shown === id || /^hmac-[0-9a-f]{24}$/.test(id) || id.includes(marker)) return [];
    return [{ ...span, replacement: (span.replacement ?? marker).replace(marker, shown) }];
  });
  return replaced(text, marks.inSource(merged(hidden))).text;
}

const names: ReadonlySet<string> = new Set(['_id', '_routing', 'routing']);

const name = /(?<![\w.])(?:_id|_routing)(?![\w.])/g;

/** `_id:"…"` of query strings, `_id == "…"` of other queries. */
function assigned(view: View): readonly FoundSpan[] {
  const { units } = view;
  const nextMark = new NextMark(units);
  const operators = new Operators(units, nextMark);
  const values = new Values(units, nextMark, (index) => view.stringEnd(index));
  const found: FoundSpan[] = [];
  name.lastIndex = 0;
  for (let match = name.exec(units.text); match !== null; match = name.exec(units.text)) {
    const end = name.lastIndex;
    const operator = operators.mayFollow(match.index, end) ? operators.at(match.index, end) : null;
    if (operator === null) continue;
    const value = values.at(operator, { wholeLine: false, structures: true });
    if (value === null) continue;
    name.lastIndex = Math.max(end, value.end);
    found.push(inSource(view, value.start, Math.min(value.end, view.stringEnd(value.start))));
  }
  return found;
}
