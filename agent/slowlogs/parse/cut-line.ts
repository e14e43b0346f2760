import { fieldsBehind, parsedObject, type Fields } from './line-fields.js';

/**
 * Parses a line whose middle is missing: the fields before the value that is cut, the beginning of that
 * value, and the fields after it. The end of the value is dropped: a credential without its beginning would
 * not be recognised.
 */
export function aroundCut(head: string, tail: string): Fields | null {
  for (const label of head.matchAll(/"((?:elasticsearch\.slowlog\.)?source|message)": ?/g)) {
    const value = head.slice(label.index + label[0].length);
    const isText = value.startsWith('"');
    if (isText ? endOfText(value, 1) !== -1 : label[1] === 'message') continue;
    const before = parsedObject(`${head.slice(0, label.index)}"-":0}`);
    const behind = (isText ? fieldsBehindText(tail) : null) ?? fieldsBehind(tail)?.fields;
    if (before === null || behind === undefined) return null;
    return { ...before, ...behind, [label[1] ?? 'source']: isText ? beginningOf(value) : value };
  }
  return null;
}

/** The index of the quotation mark that ends a JSON text, or -1. */
function endOfText(text: string, from: number): number {
  for (let end = text.indexOf('"', from); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (end - slashes > from && text[end - slashes - 1] === '\\') slashes += 1;
    if (slashes % 2 === 0) return end;
  }
  return -1;
}

/** `tail` begins within a JSON text, perhaps within an escape of it. */
function fieldsBehindText(tail: string): Fields | null {
  const from = tail.search(/[^\\]/) + 1;
  const end = endOfText(tail, from);
  return end === -1 ? null : parsedObject(`{${tail.slice(end + 1).replace(/^\s*,/, '')}`);
}

const longestEscape = 6;

/** The content of a JSON text that lost its end, perhaps within an escape. */
function beginningOf(text: string): string {
  for (let missing = 0; missing <= longestEscape; missing += 1) {
    try {
      return JSON.parse(`${text.slice(0, text.length - missing)}"`) as string;
    } catch {
      // The cut escape is longer.
    }
  }
  return text;
}
