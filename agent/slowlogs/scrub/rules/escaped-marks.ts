import { Alphabet } from './runs.js';
import type { View } from '../view.js';

const [doubleQuote, percent, ampersand, singleQuote, backslash] = [34, 37, 38, 39, 92];
const ofWords = Alphabet.of('[\\w$]');

/**
 * Where a value in quotation marks ends: at a mark that the source escapes no deeper than the one that opened it and that
 * is not doubled, as SQL and CSV write a mark within a value. The places are the view's; marks from `until` on all end it.
 */
export function closingMark(view: View, start: number, code: number, first: number, until: number): number {
  const { units } = view;
  let close = first;
  while (close !== -1 && close < until) {
    if (isEscapedMore(view, close, start - 1)) close = nextOf(view, code, close + 1);
    else if (units.at(close + 1) === code && view.widthAt(close + 1) === view.widthAt(close)) {
      const next = nextOf(view, code, close + 2);
      const goesOn =
        ofWords.has(units.at(close + 2)) || (code === singleQuote && next !== -1 && next < until);
      if (!goesOn) return close;
      close = next;
    } else return close;
  }
  return close;
}

const nextOf = ({ plain }: View, code: number, from: number): number =>
  plain.indexOf(code === doubleQuote ? '"' : code === singleQuote ? "'" : '`', from);

/** Whether the source escapes a mark deeper than the one that opened the value. */
export function isEscapedMore(view: View, at: number, opening: number): boolean {
  const [width, least] = [view.widthAt(at), view.widthAt(opening)];
  if (width <= least) return isBehindBackslash(view, at) && !isBehindBackslash(view, opening);
  if (isPercentEncoded(view, at) || isOfHtml(view, at)) return true;
  if (isPercentEncoded(view, opening)) return false;
  // So many escapes halve the backslashes before a mark of JSON: an even rest of them is of backslashes alone.
  return view.units.at(at) !== doubleQuote || (width / least) % 2 !== 1;
}

export const isPercentEncoded = (view: View, at: number): boolean =>
  view.source.charCodeAt(view.sourceIndex(at)) === percent && view.widthAt(at) > 1;

/** Whether it is written as HTML writes its marks: `&quot;`. */
export const isOfHtml = (view: View, at: number): boolean =>
  view.source.charCodeAt(view.sourceIndex(at)) === ampersand && view.widthAt(at) > 1;

/** A backslash of its own: those of an escape are read with the mark. */
function isBehindBackslash({ units }: View, at: number): boolean {
  let from = at;
  while (units.at(from - 1) === backslash) from -= 1;
  return (at - from) % 2 === 1;
}
