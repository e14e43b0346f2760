import { itemsOf } from './id-items.js';
import { saysIds } from './id-names.js';
import { inText, type FoundId } from './id-readings.js';
import { Values } from './rules/assigned-values.js';
import { Operators } from './rules/operators.js';
import { NextMark } from './rules/reading.js';
import { turned } from './rules/turned-comparisons.js';
import { spanOf, type Span } from './span.js';
import { inSource, type View } from './view.js';

/** `_id:"…"` of query strings, `_id == "…"` and `'…'.equals(doc['_id'].value)` of other queries and of scripts. */
export const idsInTexts = (view: View): readonly FoundId[] => [
  ...assigned(view, plainName),
  ...assigned(view, nameOfJoin),
  ...turned(view, saysIds, () => true).map((span) => inText(view, span, markBefore(view, span))),
];

const markBefore = ({ source }: View, { start }: Span): string =>
  /["'`]/.test(source.charAt(start - 1)) ? source.charAt(start - 1) : '';

/** The next name from a place on, null where there is none. */
type NextName = (text: string, from: number) => Span | null;

function assigned(view: View, nextName: NextName): readonly FoundId[] {
  const { units } = view;
  const nextMark = new NextMark(units);
  const operators = new Operators(units, nextMark);
  const values = new Values(view, nextMark);
  const found: FoundId[] = [];
  for (let name = nextName(units.text, 0), behind = 0; name !== null; name = nextName(units.text, behind)) {
    const { start, end } = name;
    behind = end;
    const operator = operators.mayFollow(start, end) ? operators.at(start, end) : null;
    const value = operator === null ? null : values.at(operator, { wholeLine: false, structures: true });
    if (operator === null || value === null) continue;
    behind = Math.max(end, value.end);
    const inString = spanOf(value.start, Math.min(value.end, view.stringEnd(value.start)));
    for (const item of itemsOf(view, operator, inString))
      found.push(inText(view, inSource(view, item.start, item.end), item.mark));
  }
  return found;
}

const named = /(?:(?<![\w.])|(?<=(?<![\w.])doc\.))(?:_id|_routing)(?!\w|\.(?!value\b))/g;

function plainName(text: string, from: number): Span | null {
  named.lastIndex = from;
  const match = named.exec(text);
  return match === null ? null : spanOf(match.index, named.lastIndex);
}

const joint = /#[\w.-]{1,120}/g;
const ofName = /[\w.-]/;
const nameAtMost = 120;

function nameOfJoin(text: string, from: number): Span | null {
  joint.lastIndex = from;
  for (let match = joint.exec(text); match !== null; match = joint.exec(text)) {
    let start = match.index;
    while (start > from && match.index - start < nameAtMost && ofName.test(text.charAt(start - 1)))
      start -= 1;
    if (start < match.index) return spanOf(start, joint.lastIndex);
  }
  return null;
}
