import type { FoundSpan } from '../span.js';
import { inSource, type Rule, type View } from '../view.js';
import { matchesOf } from './matches.js';

/** Begin and end of PEM (RFC 7468) of any kind, OpenPGP armour (RFC 9580), PuTTY and SSH2 keys. Forms put `+` for a blank. */
const begin =
  /-{4,5} ?BEGIN[ +](?:[A-Z0-9 +]{0,40}PRIVATE[ +]KEY(?:[ +]BLOCK)?(?: ?-{4,5})?|[A-Z0-9 +]{1,60}-{4,5})|PuTTY-User-Key-File-\d/g;
const end =
  /-{4,5} ?END[ +][A-Z0-9 +]{0,40}(?:PRIVATE[ +]KEY(?:[ +]BLOCK)?)?(?: ?-{0,5})|Private-MAC: ?[0-9a-f]{0,64}/g;
/** What a block may hold; a block without its end ends before anything else. */
const inside = /[A-Za-z0-9+/=\s:,.()@_-]*/y;

/** Keys that were encoded in base64 once more, and those of `age`. */
const encoded = /(?<![A-Za-z0-9+/])LS0tLS1CRUdJTi[A-Za-z0-9+/]{10,}={0,2}/g;
const age = /AGE-SECRET-KEY-1[A-Z0-9]{10,}/g;

export const privateKeys: Rule = {
  name: 'private-keys',
  find: (view) => [...blocks(view), ...headless(view), ...matchesOf(view, encoded), ...matchesOf(view, age)],
};

function blocks(view: View): FoundSpan[] {
  const spans: FoundSpan[] = [];
  for (let at = 0; ;) {
    begin.lastIndex = at;
    const opening = begin.exec(view.plain);
    if (opening === null) return spans;
    inside.lastIndex = opening.index + opening[0].length;
    inside.exec(view.plain);
    const body = inside.lastIndex;
    end.lastIndex = opening.index + 5;
    const closing = end.exec(view.plain.slice(0, body + 100));
    const until = closing === null ? body : closing.index + closing[0].length;
    spans.push(inSource(view, opening.index, until));
    at = Math.max(until, body);
  }
}

/** The rest of a block whose beginning was cut off: lines of base64 before an end. */
function headless(view: View): FoundSpan[] {
  return matchesOf(
    view,
    /(?<![A-Za-z0-9+/=\s])[A-Za-z0-9+/=\s]{40,}-{5}END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-{0,5}/g,
  );
}
