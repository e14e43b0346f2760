import { credentialName } from '../credential-keys.js';
import type { FoundSpan } from '../span.js';
import { inSource, type Rule, type View } from '../view.js';
import { behindBlanks } from './blanks.js';

/** `INSERT INTO users (name, password) VALUES ('bob', '…')`: a row goes whole, where one of its columns is a credential. */
export const sqlInserts: Rule = {
  name: 'sql-inserts',
  find(view) {
    const { plain } = view;
    const spans: FoundSpan[] = [];
    if (!/into\s/i.test(plain)) return spans;
    insert.lastIndex = 0;
    for (let found = insert.exec(plain); found !== null; found = insert.exec(plain))
      if (hasCredential(plain, found.index)) insert.lastIndex = takeRows(view, insert.lastIndex, spans);
    return spans;
  },
};

const insert =
  /\b(?:insert|replace)\s{1,8}into\s{1,8}[\w.`"'[\]]{1,100}\s{0,8}\([^()]{1,1000}\)\s{0,8}values/gi;

/** Whether one of the columns that an insert names, between the first parentheses in it, is a credential. */
function hasCredential(plain: string, at: number): boolean {
  let from = plain.indexOf('(', at) + 1;
  for (let end = from; ; end += 1) {
    const code = plain.charCodeAt(end);
    if (code !== comma && code !== closing) continue;
    if (credentialName(plain, from, end) === 'strong') return true;
    if (code === closing) return false;
    from = end + 1;
  }
}

/** Takes the rows at a place, one behind the other; behind the last of them. */
function takeRows(view: View, from: number, spans: FoundSpan[]): number {
  const { plain } = view;
  for (let at = from; ;) {
    const start = rowStart(plain, at);
    const close = start === -1 ? -1 : rowEnd(plain, start);
    if (close === -1) return at;
    const end = Math.min(close, view.stringEnd(start));
    if (end > start) spans.push(inSource(view, start, end));
    at = Math.min(close + 1, plain.length);
  }
}

const [doubleQuote, singleQuote, opening, closing, comma] = [34, 39, 40, 41, 44];
const blanksAtMost = 8;

/** Behind the parenthesis that opens the next row, which a comma may part from the one before; -1 where there is none. */
function rowStart(plain: string, from: number): number {
  const sign = behindBlanks(plain, from, 2 * blanksAtMost);
  if (plain.charCodeAt(sign) === opening) return sign + 1;
  if (plain.charCodeAt(sign) !== comma || sign - from > blanksAtMost) return -1;
  const next = behindBlanks(plain, sign + 1, blanksAtMost);
  return plain.charCodeAt(next) === opening ? next + 1 : -1;
}

/**
 * The parenthesis that closes a row, beyond its strings; the text's end where it is cut off, -1 where another opens.
 * Read by hand: of a row of some megabytes an expression remembers more than it may.
 */
function rowEnd(plain: string, start: number): number {
  for (let at = start; at < plain.length; at += 1) {
    const code = plain.charCodeAt(at);
    if (code === closing) return at;
    if (code === opening) return -1;
    if (code !== singleQuote && code !== doubleQuote) continue;
    at += 1;
    while (at < plain.length && plain.charCodeAt(at) !== code) at += 1;
  }
  return plain.length;
}
