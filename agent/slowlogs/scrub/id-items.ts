import type { Operator } from './rules/operator-forms.js';
import { openedBy, openingEnd, quotedValue } from './rules/quoted-values.js';
import type { Span } from './span.js';
import type { Units } from './units.js';
import type { View } from './view.js';

/** An id in a text, and the mark that opens it, if one does. */
export interface Item extends Span {
  readonly mark: string;
}

const bracket = /[([{]/;
const separator = /[\s,;()[\]{}|&"'`]/;
const endsWord = /[\s,;()[\]{}|&"'`\\]/g;

/** A word between values, the boost of a group, or a parameter of a query or a script. */
const isNoId = /^(?:AND|OR|NOT|TO|[\^~][\d.]{0,5}|\?\d?|params(?:[.[][\w.]*)?)$/i;
/** Signs of Lucene's syntax before a value, and a boost or how far a word may be from it, behind. */
const prefix = /[-+!]/;
const suffix = /(?:\^|~)[\d.]{0,5}$/;
const suffixAtMost = 6;

/** The values behind an operator that end at a place: each of a group or a list, `(a OR "b")`, `['a', 'b']`, `[a TO b]`. */
export function itemsOf(view: View, { start, form }: Operator, value: Span): readonly Item[] {
  const { units } = view;
  const isSplit = form.list || openingEnd(units, start) !== -1 || bracket.test(units.text.charAt(start));
  if (isSplit) return itemsIn(view, start, value.end);
  return isNoId.test(units.text.slice(value.start, value.end)) ? [] : [bare(units, value.start, value.end)];
}

function itemsIn(view: View, from: number, to: number): readonly Item[] {
  const { units } = view;
  const items: Item[] = [];
  for (let at = from; at < to;) {
    const opening = openingEnd(units, at);
    const mark = opening === -1 ? '' : openedBy(units, opening);
    const quoted = opening === -1 ? null : quotedValue(view, opening, mark);
    if (quoted !== null) {
      items.push({ start: quoted.start, end: Math.min(quoted.end, to), mark });
      at = quoted.end + mark.length;
    } else if (separator.test(units.text.charAt(at))) at += 1;
    else {
      const end = wordEnd(units, at, to);
      if (!isNoId.test(units.text.slice(at, end))) items.push(bare(units, at, end));
      at = end;
    }
  }
  return items;
}

/** What a backslash escapes is a part of a word. */
function wordEnd(units: Units, from: number, to: number): number {
  endsWord.lastIndex = from + 1;
  if (units.text.charAt(from) === '\\') endsWord.lastIndex += 1;
  for (let match = endsWord.exec(units.text); match !== null; match = endsWord.exec(units.text)) {
    if (match.index >= to) break;
    if (match[0] !== '\\') return match.index;
    endsWord.lastIndex += 1;
  }
  return to;
}

/** Without what Lucene's syntax says around it. */
function bare(units: Units, from: number, to: number): Item {
  let start = from;
  while (start < to - 1 && prefix.test(units.text.charAt(start))) start += 1;
  const end = suffix.exec(units.text.slice(Math.max(start + 1, to - suffixAtMost), to));
  return { start, end: to - (end?.[0].length ?? 0), mark: '' };
}
