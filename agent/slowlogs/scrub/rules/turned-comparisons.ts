import { judged, looksCredential, type Judgement } from '../doubtful.js';
import type { Judge } from '../named-leaves.js';
import type { FoundSpan } from '../span.js';
import type { Units } from '../units.js';
import { inSource, type Rule, type View } from '../view.js';
import { Comparisons } from './comparisons.js';
import { isEscapedMore } from './escaped-marks.js';
import { nextMark } from './quotation-marks.js';

/** Values that stand before the name of their field: `"…" == password`, `'…'.equals(doc['password'].value)`. */
export const turnedComparisons: Rule = {
  name: 'turned-comparisons',
  find: (view) =>
    turned(view, said, (start, end, says) =>
      says === 'strong' ? true : looksCredential(view.plain.slice(start, end), says),
    ),
};

function said(text: string, from: number, to: number): Exclude<Judgement, 'none'> | null {
  const says = judged(text, from, to);
  return says === 'none' ? null : says;
}

/** All such values that are accepted for what their names say. */
export function turned<Says>(
  view: View,
  judge: Judge<Says>,
  accept: (start: number, end: number, says: Says) => boolean,
): FoundSpan[] {
  const { units } = view;
  const spans: FoundSpan[] = [];
  const comparisons = new Comparisons(units);
  let after = 0;
  while (comparisons.next()) {
    const { at, numberEnd, nameStart, nameEnd } = comparisons;
    const says = judge(units.text, nameStart, nameEnd);
    if (says !== null && !opensString(view, at)) {
      if (numberEnd > at) take(at, numberEnd, says);
      else if (units.at(at + 1) === closingBracket) takeList(listStart(units, at, after), at, says);
      else take(behindMark(view, at), at, says);
    }
    after = nameEnd;
  }
  return spans;

  function take(start: number, end: number, says: Says): void {
    if (start < end && accept(start, end, says)) spans.push(inSource(view, start, end));
  }

  /** The strings of a list whose last one's mark stands at a place, behind another. */
  function takeList(from: number, at: number, says: Says): void {
    for (let mark = nextMark(units, from, at); mark < at;) {
      const close = nextMark(units, mark + 1, at);
      const isString = close === at || units.at(close) === units.at(mark);
      if (isString) take(mark + 1, close, says);
      mark = isString ? nextMark(units, close + 1, at) : close;
    }
  }
}

/** Whether a mark opens a string of JSON: it closes nothing. */
function opensString(view: View, mark: number): boolean {
  const strings = view.tokens();
  const start = view.sourceIndex(mark + 1);
  const at = strings.firstEndingFrom(start);
  return at < strings.length && strings.isString(at) && strings.startOf(at) === start;
}

const longest = 512;
const [openingBracket, closingBracket] = [91, 93];

/**
 * Behind the mark that opens what the one at a place closes; that place where there is none. Marks within the value are
 * doubled, or escaped deeper.
 */
function behindMark(view: View, at: number): number {
  const { units } = view;
  const mark = units.at(at);
  const until = Math.max(0, at - longest);
  for (let open = at - 1; open >= until; open -= 1) {
    if (units.at(open) !== mark || isEscapedMore(view, open, at)) continue;
    if (open === at - 1 || open === until || units.at(open - 1) !== mark) return open + 1;
    open -= 1;
  }
  return at;
}

/** Behind the bracket that opens a list; as far before its end as may be where there is none. */
function listStart(units: Units, at: number, after: number): number {
  const until = Math.max(after, at - longest);
  let start = at;
  while (start > until && units.at(start - 1) !== openingBracket) start -= 1;
  return start;
}
