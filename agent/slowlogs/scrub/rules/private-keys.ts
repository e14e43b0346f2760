import type { FoundSpan } from '../span.js';
import type { Units } from '../units.js';
import { inSource, type Rule, type View } from '../view.js';
import { behindComment, eachKeyLine } from './key-lines.js';
import { matchesOf } from './matches.js';
import { NextMatch } from './next-match.js';

/** Begin and end of PEM (RFC 7468) of any kind, OpenPGP armour (RFC 9580), PuTTY and SSH2 keys. Forms put `+` for a blank. */
const begin =
  /-{4,5} ?BEGIN[ +](?:[A-Z0-9 +]{0,40}PRIVATE[ +]KEY(?:[ +]BLOCK)?(?: ?-{4,5})?|[A-Z0-9 +]{1,60}-{4,5})|PuTTY-User-Key-File-\d/y;
const end =
  /-{4,5} ?END[ +][A-Z0-9 +]{0,40}(?:PRIVATE[ +]KEY(?:[ +]BLOCK)?)?(?: ?-{0,5})|Private-MAC: ?[0-9a-f]{0,64}/y;
const endBegins = /-{4,5} ?END[ +]|Private-MAC:/g;
/** An end stands so close behind what is no part of a block. */
const endAtMost = 100;
/** What a block may hold; a block without its end ends before anything else. */
const inside = /[A-Za-z0-9+/=\s:,.()@_-]*/y;

/** Keys that were encoded in base64 once more, and those of `age`. */
const encoded = /(?<![A-Za-z0-9+/])LS0tLS1CRUdJTi[A-Za-z0-9+/]{10,}={0,2}/g;
const age = /AGE-SECRET-KEY-1[A-Z0-9]{10,}/g;

export const privateKeys: Rule = {
  name: 'private-keys',
  find: (view) =>
    blocks(view).concat(
      view.plain.includes('-----END ') ? headless(view) : [],
      view.plain.includes('LS0tLS1CRUdJTi') ? matchesOf(view, encoded) : [],
      matchesOf(view, age),
    ),
};

function blocks(view: View): FoundSpan[] {
  const { plain, units } = view;
  const spans: FoundSpan[] = [];
  const nextEnd = new NextMatch(plain, endBegins);
  let at = 0;
  const places = beginnings(plain);
  let next = 0;
  for (const place of places) {
    if (place + 1 < at) continue; // one of five hyphens may be of the block before
    begin.lastIndex = Math.max(place, at);
    const start = begin.lastIndex;
    if (!begin.test(plain)) continue;
    const body = bodyEnd(units, begin.lastIndex);
    while ((places[next] ?? Infinity) < body) next += 1;
    const until = behindEnd(plain, nextEnd.from(start + 5), body + endAtMost);
    spans.push(inSource(view, start, until ?? body));
    at =
      until === null
        ? eachKeyLine(units, body, places[next] ?? Infinity, (line) =>
            spans.push(inSource(view, line.start, line.end)),
          )
        : Math.max(until, body);
  }
  return spans;
}

function bodyEnd(units: Units, from: number): number {
  inside.lastIndex = from;
  inside.test(units.text);
  const behind = behindComment(units, inside.lastIndex);
  if (behind === -1) return inside.lastIndex;
  inside.lastIndex = behind;
  inside.test(units.text);
  return inside.lastIndex;
}

function behindEnd(plain: string, at: number, until: number): number | null {
  end.lastIndex = at;
  return at < until && end.test(plain.slice(0, until)) ? end.lastIndex : null;
}

/** Where a block may begin, first to last: hyphens are everywhere, the words behind them are not. */
function beginnings(plain: string): number[] {
  const places: number[] = [];
  for (let at = plain.indexOf('BEGIN'); at !== -1; at = plain.indexOf('BEGIN', at + 5)) {
    const hyphensEnd = plain.charCodeAt(at - 1) === blank ? at - 1 : at;
    let from = hyphensEnd;
    while (from > hyphensEnd - 5 && plain.charCodeAt(from - 1) === hyphen) from -= 1;
    if (hyphensEnd - from >= 4) places.push(from);
  }
  const putty = 'PuTTY-User-Key-File-';
  const pemPlaces = places.length;
  for (let at = plain.indexOf(putty); at !== -1; at = plain.indexOf(putty, at + putty.length))
    places.push(at);
  return pemPlaces > 0 && places.length > pemPlaces ? places.sort((a, b) => a - b) : places;
}

const [blank, hyphen] = [32, 45];

/** The rest of a block whose beginning was cut off: lines of base64 before an end. */
function headless(view: View): FoundSpan[] {
  return matchesOf(
    view,
    /(?<![A-Za-z0-9+/=\s])[A-Za-z0-9+/=\s]{40,}-{5}END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-{0,5}/g,
  );
}
