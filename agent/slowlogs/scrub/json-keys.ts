import { depthOf } from './json-strings.js';

const [colon, backslash] = [58, 92];
const keyAtMost = 400;

/** How many backslashes stand before a place, none of them before another. */
export function backslashesUpTo(source: string, at: number, start: number): number {
  let from = at;
  while (from > start && source.charCodeAt(from - 1) === backslash) from -= 1;
  return at - from;
}

/** Whether a mark of JSON, escaped so many times, opens the key of a member. */
export function isKey(source: string, mark: number, depth: number, end: number): boolean {
  const close = endOfKey(source, mark, depth, end);
  return close !== -1 && source.charCodeAt(behindBlanks(source, close, end)) === colon;
}

/** Behind the mark that closes the string which another opens, where that is as short as a key is, -1 where none does. */
export function endOfKey(source: string, mark: number, depth: number, end: number): number {
  const until = Math.min(end, mark + keyAtMost);
  for (let at = source.indexOf('"', mark + 1); at !== -1 && at < until; at = source.indexOf('"', at + 1)) {
    const found = depthOf(backslashesUpTo(source, at, mark + 1));
    if (found <= depth) return found === depth && at > mark + 1 ? at + 1 : -1;
  }
  return -1;
}

/** Behind the blanks at a place. They may be escaped, where the JSON is. */
export function behindBlanks(source: string, from: number, end: number): number {
  for (let at = from; at < end; at += 1) {
    const code = source.charCodeAt(at);
    if (code <= 32) continue;
    if (code !== backslash) return at;
    let letter = at;
    while (source.charCodeAt(letter) === backslash) letter += 1;
    if (letter >= end || !'nrt'.includes(source.charAt(letter))) return at;
    at = letter;
  }
  return end;
}
