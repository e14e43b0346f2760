import { credentialName } from '../credential-keys.js';
import {
  cutOffAtLeast,
  doubtfulAtLeast,
  isNumber,
  judged,
  looksCredential,
  namesNumber,
} from '../doubtful.js';
import { nowhere, type Spans } from '../field-tables.js';
import { inPlaceOf, leavesNamed, nameIn } from '../named-leaves.js';
import type { FoundSpan } from '../span.js';
import type { Rule, View } from '../view.js';

/**
 * What is looked for in fields that may hold credentials, and what they hold: through the words of a search,
 * `{"term":{"stripe_key":{"value":…}}}`, lists, and names in other members. It must look like one.
 */
export const doubtfulFields: Rule = {
  name: 'doubtful-fields',
  find: (view) => [...doubtful(view), ...namedTogether(view)],
};

function doubtful(view: View): readonly FoundSpan[] {
  const { source, cutOff } = view;
  const isCut = (start: number, end: number): boolean =>
    cutOff && end === source.length && end - start >= cutOffAtLeast;
  return leavesNamed(
    view,
    (start, end) => end - start >= doubtfulAtLeast || isCut(start, end),
    doubtOf,
    ({ start, end }, says) => {
      const value = source.slice(start, end);
      if (says === 'vendor of numbers' && isNumber(value)) return false;
      return isCut(start, end) || looksCredential(value, says === 'weak' ? 'weak' : 'vendor');
    },
  );
}

function doubtOf(text: string, from: number, to: number): 'weak' | 'vendor' | 'vendor of numbers' | null {
  const says = judged(text, from, to);
  if (says === 'vendor') return namesNumber(text.slice(from, to)) ? 'vendor of numbers' : says;
  return says === 'weak' ? says : null;
}

/** Last words of names of several that say little alone: `{"api":{"key":…}}`. */
const lastWords = ['key', 'keys', 'id', 'phrase', 'string', 'code', 'codes', 'url', 'hash'];

function namedTogether(view: View): readonly FoundSpan[] {
  const { source } = view;
  const { keys, leaves } = view.fields();
  const found: FoundSpan[] = [];
  let [askedField, askedOwner] = [nowhere, nowhere];
  let isCredential = false;
  for (let at = 0; at < leaves.length; at += 1) {
    const field = leaves.fieldOf(at);
    const owner = leaves.ownerOf(at);
    if (field === nowhere || owner === nowhere) continue;
    if (field !== askedField || owner !== askedOwner) {
      askedField = field;
      askedOwner = owner;
      isCredential = isStrong(source, keys, owner, field);
    }
    const span = isCredential ? inPlaceOf(source, leaves.at(at)) : null;
    if (span !== null) found.push(span);
  }
  return found;
}

/** A function of its own: what a long loop calls is compiled by itself, the loop only while it runs. */
function isStrong(source: string, keys: Spans, owner: number, field: number): boolean {
  const [start, end] = [keys.startOf(field), keys.endOf(field)];
  if (!isLastWord(source, start, end)) return false;
  const name = nameIn(source, keys.startOf(owner), keys.endOf(owner));
  return credentialName(`${name}.${source.slice(start, end)}`) === 'strong';
}

/** In whatever case. Read by hand: of many fields it is asked. */
function isLastWord(source: string, start: number, end: number): boolean {
  const length = end - start;
  const first = source.charCodeAt(start) | 32;
  for (let place = 0; place < lastWords.length; place += 1) {
    const word = lastWords[place] ?? '';
    if (word.length !== length || word.charCodeAt(0) !== first) continue;
    let at = 1;
    while (at < length && (source.charCodeAt(start + at) | 32) === word.charCodeAt(at)) at += 1;
    return at === length;
  }
  return false;
}
