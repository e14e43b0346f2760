import { credentialName } from '../credential-keys.js';
import { looksDrawn } from '../randomness.js';
import type { FoundSpan } from '../span.js';
import { inSource, type Rule, type View } from '../view.js';
import { blockEnd } from './blocks.js';
import { Alphabet } from './runs.js';

/**
 * Names and values that only their places put together: `name: TOKEN` above `value: …`, as manifests have them, and the
 * cells of tables, columns and lines behind each other, where the value must look random.
 */
export const layouts: Rule = {
  name: 'layouts',
  find: (view) => [...(view.plain.includes('value') ? pairs(view) : []), ...nextCells(view)],
};

const pair =
  /(?<![A-Za-z0-9])(?:name|key)["']?[ \t]?[:=][ \t]?["']?(?<name>[\w.-]{1,100})["']?,?\s{1,40}["']?value["']?[ \t]?[:=][ \t]?/g;
/** In quotation marks, the lines of a block, or the rest of a line. */
const pairedValue = /"[^"\n]*|'[^'\n]*|[|>][+-]?\d?[ \t]{0,8}\n[ \t]+|[^\s"'}][^\n"'}]*/y;

function pairs(view: View): FoundSpan[] {
  const { plain } = view;
  const spans: FoundSpan[] = [];
  pair.lastIndex = 0;
  for (let found = pair.exec(plain); found !== null; found = pair.exec(plain)) {
    if (credentialName(found.groups?.['name'] ?? '') !== 'strong') continue;
    const at = pair.lastIndex;
    pairedValue.lastIndex = at;
    const value = pairedValue.exec(plain)?.[0] ?? '';
    const isQuoted = value.startsWith('"') || value.startsWith("'");
    const start = /^[|>]/.test(value) && value.includes('\n') ? at + value.length : at + Number(isQuoted);
    const until = start > at + 1 ? blockEnd(plain, start, view.stringEnd(at)) : at + value.length;
    const end = Math.min(until, view.stringEnd(start));
    if (end <= start) continue;
    spans.push(inSource(view, start, end));
    pair.lastIndex = end;
  }
  return spans;
}

const beforeCell = /[,;|\n][ \t]{0,20}["'`]?(?=[A-Za-z0-9+/=_-]{16})/g;
const cell = /[A-Za-z0-9+/=_-]{16,512}(?![A-Za-z0-9+/=_-])/y;
const behindName = ' \t"\'`])|:\r';
const ofNames = Alphabet.of('[\\w.-]');
const nameAtMost = 60;

function nextCells(view: View): FoundSpan[] {
  const { plain } = view;
  const spans: FoundSpan[] = [];
  beforeCell.lastIndex = 0;
  for (let found = beforeCell.exec(plain); found !== null; found = beforeCell.exec(plain)) {
    const start = found.index + found[0].length;
    cell.lastIndex = start;
    const value = cell.exec(plain)?.[0] ?? '';
    if (!isNamed(plain, found.index) || !looksDrawn(value)) continue;
    spans.push(inSource(view, start, Math.min(start + value.length, view.stringEnd(start))));
  }
  return spans;
}

/** Whether the word before a place names a credential. */
function isNamed(plain: string, at: number): boolean {
  let end = at;
  while (at - end < 4 && behindName.includes(plain[end - 1] ?? '-')) end -= 1;
  let from = end;
  while (end - from < nameAtMost && ofNames.has(plain.charCodeAt(from - 1))) from -= 1;
  return from < end && credentialName(plain, from, end) === 'strong';
}
