import { credentialNameIn } from '../credential-keys.js';
import type { FoundSpan } from '../span.js';
import type { Units } from '../units.js';
import { inSource, type Rule, type View } from '../view.js';
import { behindBlanks } from './blanks.js';

/** `INSERT INTO users (name, password) VALUES ('bob', '…')`: a row goes whole, where one of its columns is a credential. */
export const sqlInserts: Rule = {
  name: 'sql-inserts',
  find(view) {
    const { units } = view;
    const spans: FoundSpan[] = [];
    if (!/into\s/i.test(units.text)) return spans;
    insert.lastIndex = 0;
    for (let found = insert.exec(units.text); found !== null; found = insert.exec(units.text))
      if (hasCredential(units, found.index)) insert.lastIndex = takeRows(view, insert.lastIndex, spans);
    return spans;
  },
};

const insert =
  /\b(?:insert|replace)\s{1,8}into\s{1,8}[\w.`"'[\]]{1,100}\s{0,8}\([^()]{1,1000}\)\s{0,8}values/gi;

/** Whether one of the columns that an insert names, between the first parentheses in it, is a credential. */
function hasCredential(units: Units, at: number): boolean {
  let from = units.text.indexOf('(', at) + 1;
  for (let end = from; ; end += 1) {
    const code = units.at(end);
    if (code !== comma && code !== closing) continue;
    if (credentialNameIn(units, from, end) === 'strong') return true;
    if (code === closing) return false;
    from = end + 1;
  }
}

/** Takes the rows at a place, one behind the other; behind the last of them. */
function takeRows(view: View, from: number, spans: FoundSpan[]): number {
  const { units } = view;
  for (let at = from; ;) {
    const start = rowStart(units, at);
    const close = start === -1 ? -1 : rowEnd(units, start);
    if (close === -1) return at;
    const end = Math.min(close, view.stringEnd(start));
    if (end > start) spans.push(inSource(view, start, end));
    at = Math.min(close + 1, units.length);
  }
}

const [doubleQuote, singleQuote, opening, closing, comma] = [34, 39, 40, 41, 44];
const blanksAtMost = 8;

/** Behind the parenthesis that opens the next row, which a comma may part from the one before; -1 where there is none. */
function rowStart(units: Units, from: number): number {
  const sign = behindBlanks(units, from, 2 * blanksAtMost);
  if (units.at(sign) === opening) return sign + 1;
  if (units.at(sign) !== comma || sign - from > blanksAtMost) return -1;
  const next = behindBlanks(units, sign + 1, blanksAtMost);
  return units.at(next) === opening ? next + 1 : -1;
}

/**
 * The parenthesis that closes a row, beyond its strings; the text's end where it is cut off, -1 where another opens.
 * Read by hand: of a row of some megabytes an expression remembers more than it may.
 */
function rowEnd(units: Units, start: number): number {
  for (let at = start; at < units.length; at += 1) {
    const code = units.at(at);
    if (code === closing) return at;
    if (code === opening) return -1;
    if (code !== singleQuote && code !== doubleQuote) continue;
    at += 1;
    while (at < units.length && units.at(at) !== code) at += 1;
  }
  return units.length;
}
