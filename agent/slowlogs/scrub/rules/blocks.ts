/** Where a block of YAML ends whose first line begins at a place, behind its blanks: before the first line indented less. */
export function blockEnd(plain: string, start: number, until: number): number {
  let lineStart = start;
  while (isBlank(plain[lineStart - 1])) lineStart -= 1;
  const indentation = start - lineStart;
  let end = lineBreak(plain, start, until);
  while (end < until) {
    let text = end + 1;
    while (text < until && isBlank(plain[text])) text += 1;
    const isEmpty = text >= until || plain[text] === '\n' || plain[text] === '\r';
    if (!isEmpty && text - end - 1 < indentation) break;
    end = lineBreak(plain, text, until);
  }
  return end;
}

const isBlank = (unit: string | undefined): boolean => unit === ' ' || unit === '\t';

function lineBreak(plain: string, from: number, until: number): number {
  let at = from;
  while (at < until && plain[at] !== '\n') at += 1;
  return at;
}
