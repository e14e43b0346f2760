import { credentialName } from '../credential-keys.js';
import type { FoundSpan } from '../span.js';
import { inSource, type View } from '../view.js';

const kind = 'form-data;';
/** Of a part the rest of its first line, which names it, its other headers and the empty line behind them. */
const header =
  /[ \t]{0,4}name=["']?(?<name>[\w.[\]-]{1,100})["']?\r?\n(?:[A-Za-z-]{1,40}:[^\n]{0,200}\n){0,4}\r?\n/y;
/** Of one line, and none that ends the part. */
const content = /(?!--)[^\r\n]+/y;

/** Fields of a form as `multipart/form-data` (RFC 7578) sends them: each is a part that its first header names. */
export function formParts(view: View): FoundSpan[] {
  const { plain } = view;
  const spans: FoundSpan[] = [];
  for (let at = plain.indexOf(kind); at !== -1; at = plain.indexOf(kind, at + kind.length)) {
    header.lastIndex = at + kind.length;
    const name = header.exec(plain)?.groups?.['name'] ?? '';
    if (credentialName(name) !== 'strong') continue;
    const start = header.lastIndex;
    content.lastIndex = start;
    const end = content.test(plain) ? Math.min(content.lastIndex, view.stringEnd(start)) : start;
    if (end > start) spans.push(inSource(view, start, end));
  }
  return spans;
}
