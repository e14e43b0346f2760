/** How many times a quotation mark with so many backslashes before it was escaped: 0, 1, 3, 7 … */
export const depthOf = (backslashes: number): number => Math.floor(Math.log2(backslashes + 1));

/** How many backslashes stand before a quotation mark that was escaped so many times. */
export const backslashesAt = (depth: number): number => 2 ** depth - 1;

const mark = /(?<!\\)(\\*)"/g;

/**
 * The mark that ends a string of some depth, without its backslashes, or the end of the text. Each unescaping halves
 * the backslashes before a mark; it ends the string, or one around it, where their number is even by then.
 */
export function endOfString(source: string, from: number, depth: number): number {
  mark.lastIndex = from;
  for (let match = mark.exec(source); match !== null; match = mark.exec(source)) {
    const all = match[1]?.length ?? 0;
    let backslashes = all;
    for (let level = 0; level < depth && backslashes % 2 === 1; level += 1)
      backslashes = (backslashes - 1) / 2;
    if (backslashes % 2 === 0) return match.index + all - Math.min(all, backslashesAt(depth));
  }
  return source.length;
}

/** What a text escaped so many times says, or null where it was not. */
export function unescaped(text: string, depth: number): string | null {
  let read = text;
  try {
    for (let level = 0; level < depth; level += 1) read = JSON.parse(`"${read}"`) as string;
  } catch {
    return null;
  }
  return read;
}

/** Whether a text that was escaped so many times is a value of JSON. */
export function isJson(text: string, depth: number): boolean {
  const read = unescaped(text, depth);
  if (read === null) return false;
  try {
    JSON.parse(read);
    return true;
  } catch {
    return false;
  }
}
