import { credentialNameIn } from '../credential-keys.js';
import type { FoundSpan } from '../span.js';
import type { Units } from '../units.js';
import { inSource, type View } from '../view.js';
import { behindBlanks } from './blanks.js';
import { ElementTexts, tagEnd } from './element-texts.js';
import { endBefore, skip } from './reading.js';
import { Alphabet } from './runs.js';
import { behindOneOf } from './words-at.js';

const nowhere = -1;
const [slash, less, greater] = [47, 60, 62];
const naming = ['<name>', '<key>'];
const holding = ['value', 'string', 'data'];
const ofNames = Alphabet.of('[\\w:.-]');
const [nameAtMost, tagAtMost, blanksAtMost] = [100, 40, 40];
/** `<value><string>` */
const tagsAtMost = 2;

/** `<name>password</name><value>…</value>` of Hadoop and XML-RPC, `<key>password</key><string>…</string>` of Apple. */
export function namedElements(view: View): FoundSpan[] {
  const { units } = view;
  const spans: FoundSpan[] = [];
  const texts = new ElementTexts(units);
  for (let at = units.text.indexOf('<'); at !== nowhere && at < units.length; at += 1) {
    const name = units.at(at) === less ? behindOneOf(units, at, naming) : nowhere;
    if (name === nowhere) continue;
    const nameEnd = skip(units, ofNames, name, nameAtMost);
    const tag = valueTagEnd(units, nameEnd);
    if (tag === nowhere) continue;
    const start = texts.startBehind(tag);
    const end = Math.min(texts.endFrom(start), view.stringEnd(start));
    if (end === start || credentialNameIn(units, name, nameEnd) !== 'strong') continue;
    spans.push(inSource(view, start, end));
    at = end - 1;
  }
  return spans;
}

/** Behind the tags of the value whose name ends at a place, before the tag that closes it; -1 where none follow. */
function valueTagEnd(units: Units, name: number): number {
  if (units.at(name) !== less || units.at(name + 1) !== slash) return nowhere;
  const closing = endBefore(units, name, name + tagAtMost, greater);
  if (units.at(closing) !== greater) return nowhere;
  let end = nowhere;
  let at = behindBlanks(units, closing + 1, blanksAtMost);
  for (let count = 0; count < tagsAtMost && units.at(at) === less; count += 1) {
    const value = behindOneOf(units, at + 1, holding);
    const tag = value === nowhere ? nowhere : tagEnd(units, value);
    if (tag === nowhere) return end;
    end = tag;
    at = behindBlanks(units, tag, blanksAtMost);
  }
  return end;
}
