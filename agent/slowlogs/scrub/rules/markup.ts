import { credentialNameIn } from '../credential-keys.js';
import { isLetter } from '../letter-trie.js';
import type { FoundSpan } from '../span.js';
import type { Units } from '../units.js';
import { inSource, type Rule, type View } from '../view.js';
import { isBlank } from './blanks.js';
import { ElementTexts, tagEnd } from './element-texts.js';
import { Endings } from './endings.js';
import { namedElements } from './named-elements.js';
import { endBefore, skip } from './reading.js';
import { Alphabet } from './runs.js';
import { isAtInAnyCase } from './words-at.js';
import { isQuote } from './quotation-marks.js';

/**
 * `<password>…</password>`, or as far as it was logged, `<name>password</name><value>…</value>`, and
 * `name="password" value="…"`. Read by hand: logs hold little else.
 */
export const markup: Rule = {
  name: 'markup',
  find: (view) => elements(view).concat(namedElements(view), attributes(view)),
};

const nowhere = -1;
const [slash, less, equals, greater] = [47, 60, 61, 62];
const ofNames = Alphabet.of('[\\w:.-]');
const [elementAtMost, textAtMost] = [81, 4_096];

function elements(view: View): FoundSpan[] {
  const { units } = view;
  const spans: FoundSpan[] = [];
  const texts = new ElementTexts(units);
  for (let at = units.text.indexOf('<'); at !== nowhere && at < units.length; at += 1) {
    if (units.at(at) !== less || !isLetter(units.at(at + 1))) continue;
    const name = skip(units, ofNames, at + 1, elementAtMost);
    const tag = name < at + 3 ? nowhere : tagEnd(units, name);
    if (tag === nowhere) continue;
    const start = texts.startBehind(tag);
    const end = texts.endFrom(start);
    const isClosed = texts.isInSection(start) || (units.at(end) === less && units.at(end + 1) === slash);
    if (end === start || (!isClosed && end < units.length)) continue;
    if (credentialNameIn(units, at + 1, name) !== 'strong' || !holds(units, start, end, false)) continue;
    // `<token>` stands for a token in prose.
    if (end < units.length || view.cutOff || !holds(units, start, end, true))
      spans.push(inSource(view, start, end));
  }
  return spans;
}

/** Whether blanks stand in a text, or anything else. */
function holds(units: Units, from: number, to: number, blanks: boolean): boolean {
  for (let at = from; at < to; at += 1) if (isBlank(units.at(at)) === blanks) return true;
  return false;
}

const attributeNames = new Endings(['name', 'key', 'id', 'type'], true);
const [nameAtMost, betweenAtMost] = [100, 100];

/** In this order, of one element. Where values and elements' ends come next is remembered: names may have none. */
function attributes(view: View): FoundSpan[] {
  const { units } = view;
  const spans: FoundSpan[] = [];
  let [taken, value, angle] = [0, -1, -1];
  for (let at = units.text.indexOf('='); at !== nowhere && at < units.length; at += 1) {
    if (units.at(at) !== equals) continue;
    if (attributeNames.startOf(units, isBlank(units.at(at - 1)) ? at - 1 : at) < taken) continue;
    const start = quotedStart(units, at);
    const name = start === nowhere ? nowhere : skip(units, ofNames, start, nameAtMost);
    if (name === start || !isQuote(units.at(name))) continue;
    if (value < name + 1) value = nextValue(units, name + 1);
    if (value > name + 1 + betweenAtMost) continue;
    if (angle < name + 1) angle = endBefore(units, name + 1, units.length, less, greater);
    if (angle < value) continue;
    const text = valueStart(units, value);
    taken = textEnd(units, text);
    if (credentialNameIn(units, start, name) === 'strong') spans.push(inSource(view, text, taken));
    at = taken - 1;
  }
  return spans;
}

/** Behind the mark that follows an equals sign. */
function quotedStart(units: Units, sign: number): number {
  const mark = isBlank(units.at(sign + 1)) ? sign + 2 : sign + 1;
  return isQuote(units.at(mark)) ? mark + 1 : nowhere;
}

function nextValue(units: Units, from: number): number {
  for (let at = from; at < units.length; at += 1)
    if (isBlank(units.at(at)) && valueStart(units, at) !== nowhere) return at;
  return Infinity;
}

/** Where a value's text begins whose blank stands at a place. */
function valueStart(units: Units, at: number): number {
  if (!isAtInAnyCase(units, at + 1, 'value')) return nowhere;
  const sign = isBlank(units.at(at + 6)) ? at + 7 : at + 6;
  const start = units.at(sign) === equals ? quotedStart(units, sign) : nowhere;
  return start !== nowhere && textEnd(units, start, 1) > start ? start : nowhere;
}

const ofTexts = Alphabet.of('[^"\'<>]');
function textEnd(units: Units, start: number, atMost = textAtMost): number {
  return skip(units, ofTexts, start, Math.min(atMost, units.length - start));
}
