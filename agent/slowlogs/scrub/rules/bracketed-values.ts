import { spanOf, type Span } from '../span.js';

const listEnd = /["'`]\s{0,20}\)/g;

/** `IN ('a', 'b')`: all of them. No value goes on behind the string of JSON that it stands in, nor is looked for there. */
export function listed(plain: string, start: number, until: number): Span {
  listEnd.lastIndex = 1;
  const end = start + (listEnd.exec(plain.slice(start, until))?.index ?? until - start);
  return spanOf(start + 1, Math.max(start + 1, end));
}

const bracket = /[{}[\]]/g;

export function bracketed(plain: string, start: number, until: number): Span {
  const text = plain.slice(start, until);
  bracket.lastIndex = 0;
  let open = 0;
  for (let match = bracket.exec(text); match !== null; match = bracket.exec(text)) {
    open += match[0] === '{' || match[0] === '[' ? 1 : -1;
    if (open === 0) return spanOf(start + 1, start + match.index);
  }
  return spanOf(start + 1, until);
}

/** Parentheses in quotation marks or behind a backslash count for nothing. */
const parenthesis = /\\[^]|"[^"]*"|[()]/g;

/** What stands between a parenthesis and the one that closes it, or the end. */
export function parenthesised(plain: string, start: number, until: number): Span {
  const text = plain.slice(start, until);
  parenthesis.lastIndex = 0;
  let open = 0;
  for (let match = parenthesis.exec(text); match !== null; match = parenthesis.exec(text)) {
    if (match[0] === '(') open += 1;
    else if (match[0] === ')') open -= 1;
    if (open === 0) return spanOf(start + 1, start + match.index);
  }
  return spanOf(start + 1, until);
}
