import { credentialName, credentialNameIn } from '../credential-keys.js';
import { looksDrawnIn } from '../randomness.js';
import type { FoundSpan } from '../span.js';
import type { Units } from '../units.js';
import { inSource, type Rule, type View } from '../view.js';
import { blockEnd } from './blocks.js';
import { formParts } from './form-parts.js';
import { isMark } from './quotation-marks.js';
import { skip } from './reading.js';
import { Alphabet } from './runs.js';

/**
 * Names and values that only their places put together: `name: TOKEN` above `value: …`, as manifests have them, the parts
 * of a form, and the cells of tables, columns and lines behind each other, where the value must look random.
 */
export const layouts: Rule = {
  name: 'layouts',
  find: (view) => nextCells(view).concat(view.plain.includes('value') ? pairs(view) : [], formParts(view)),
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

const ofCells = Alphabet.of('[A-Za-z0-9+/=_-]');
const [cellAtLeast, cellAtMost] = [16, 512];

/** Read by hand: a text may hold little but cells. */
function nextCells(view: View): FoundSpan[] {
  const { units } = view;
  const spans: FoundSpan[] = [];
  for (let at = 0; at < units.length; at += 1) {
    if (!separates(units.at(at))) continue;
    const start = cellStart(units, at + 1);
    const end = skip(units, ofCells, start, units.length);
    if (end - start < cellAtLeast) continue;
    if (end - start <= cellAtMost && isNamed(units, at) && looksDrawnIn(units, start, end))
      spans.push(inSource(view, start, Math.min(end, view.stringEnd(start))));
    at = end - 1;
  }
  return spans;
}

const [tab, lineFeed, space, comma, semicolon, bar] = [9, 10, 32, 44, 59, 124];
const separates = (code: number): boolean =>
  code === lineFeed || code === comma || code === semicolon || code === bar;
const blanksAtMost = 20;

/** Behind blanks and a mark. */
function cellStart(units: Units, from: number): number {
  let at = from;
  while (at < from + blanksAtMost && (units.at(at) === space || units.at(at) === tab)) at += 1;
  return isMark(units.at(at)) ? at + 1 : at;
}

const behindNames = Alphabet.of('[ \\t"\'`\\])|:\\r]');
const ofNames = Alphabet.of('[\\w.-]');
const nameAtMost = 60;

/** Whether the word before a place names a credential. */
function isNamed(units: Units, at: number): boolean {
  let end = at;
  while (at - end < 4 && behindNames.has(units.at(end - 1))) end -= 1;
  let from = end;
  while (end - from < nameAtMost && ofNames.has(units.at(from - 1))) from -= 1;
  return from < end && credentialNameIn(units, from, end) === 'strong';
}
