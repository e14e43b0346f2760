import type { FoundSpan } from '../span.js';
import type { Units } from '../units.js';
import { inSource, type Rule, type View } from '../view.js';
import { matchesOf } from './matches.js';
import { skip } from './reading.js';
import { Alphabet } from './runs.js';
import { headerAtMost, isHeader } from './web-token-headers.js';

/** A token that was encoded in base64 once more, where `eyJ` comes out as `ZXlK`; the older API keys of Grafana. */
const encodedAgain = /(?:ZXlK|eyJrIjoi)(?<![A-Za-z0-9_-](?:ZXlK|eyJrIjoi))[A-Za-z0-9+/_-]{40,}={0,2}/g;

export const webTokens: Rule = {
  name: 'web-tokens',
  find: (view) =>
    tokens(view).concat(
      view.plain.includes('ZXlK') || view.plain.includes('eyJrIjoi') ? matchesOf(view, encodedAgain) : [],
      glued(view),
    ),
};

const nowhere = -1;
const [dot, padding] = [46, 61];
const [smallE, smallG, smallO, smallW, smallY] = [101, 103, 111, 119, 121];
const ofHeader = Alphabet.of('[A-Za-z0-9_-]');
const ofParts = Alphabet.of('[A-Za-z0-9_/+=-]');
const ofPayload = Alphabet.of('[A-Za-z0-9_=-]');
/** Of the shortest object that names something, `{"kid":1}`. */
const headerAtLeast = 12;

/**
 * JSON Web Tokens (RFC 7519), signed, encrypted or unsigned: a header in base64url, a dot, and more. A text that was
 * cut may end in the header.
 */
function tokens(view: View): FoundSpan[] {
  const { units } = view;
  const spans: FoundSpan[] = [];
  for (let at = 0; at < units.length; at += 1) {
    if (units.at(at) !== smallE || !beginsObject(units, at) || ofHeader.has(units.at(at - 1))) continue;
    const run = skip(units, ofHeader, at, units.length);
    const header = paddingEnd(units, run);
    const end =
      run < at + headerAtLeast + Number(units.at(at + 1) === smallW) ? nowhere : tokenEnd(units, header);
    if (end === nowhere) at = run - 1;
    else if ((end === header && view.cutOff) || isHeader(units, at, header)) {
      const until = Math.min(end, view.stringEnd(at));
      spans.push(inSource(view, at, until));
      at = Math.max(until, at + 1) - 1;
    } else at = end - 1;
  }
  return spans;
}

/** As the beginnings of JSON's objects are encoded. */
function beginsObject(units: Units, at: number): boolean {
  const second = units.at(at + 1);
  const third = units.at(at + 2);
  return second === smallY || (second === smallW && (third === smallO || third === smallG));
}

function paddingEnd(units: Units, from: number): number {
  let end = from;
  while (end < from + 2 && units.at(end) === padding) end += 1;
  return end;
}

/** Behind the parts that follow a header, of which the first has three characters; -1 where none does and the text goes on. */
function tokenEnd(units: Units, header: number): number {
  if (units.at(header) !== dot) return header === units.length ? header : nowhere;
  let end = skip(units, ofParts, header + 1, units.length);
  if (end < header + 4) return nowhere;
  for (let part = 1; part < 4 && units.at(end) === dot; part += 1)
    end = skip(units, ofParts, end + 1, units.length);
  return end;
}

/** Tokens right behind other letters: both of their first parts are objects, whose encodings begin alike. */
function glued(view: View): FoundSpan[] {
  const { units } = view;
  const spans: FoundSpan[] = [];
  let taken = 0;
  for (let at = units.text.indexOf('.eyJ'); at !== nowhere && at < units.length; at += 1) {
    if (units.at(at) !== dot || !beginsEncoded(units, at + 1)) continue;
    const start = headerStart(units, at, taken);
    if (start > at - headerAtLeast || !isHeader(units, start, at)) continue;
    taken = payloadEnd(units, at);
    spans.push(inSource(view, start, taken));
    at = taken - 1;
  }
  return spans;
}

const [capitalJ] = [74];
const beginsEncoded = (units: Units, at: number): boolean =>
  units.at(at) === smallE && units.at(at + 1) === smallY && units.at(at + 2) === capitalJ;

/** Where a header begins that ends at a place: first in what may belong to it. */
function headerStart(units: Units, end: number, taken: number): number {
  let start = end;
  for (let at = end - 1; at >= taken && at >= end - headerAtMost && ofHeader.has(units.at(at)); at -= 1)
    if (beginsEncoded(units, at)) start = at;
  return start;
}

/** Behind the payload whose dot stands at a place, and a signature. */
function payloadEnd(units: Units, at: number): number {
  const end = skip(units, ofPayload, at + 1, units.length);
  if (end < at + 4) return at + 1;
  return units.at(end) === dot ? skip(units, ofPayload, end + 1, units.length) : end;
}
