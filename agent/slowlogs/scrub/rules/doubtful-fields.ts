import { credentialName } from '../credential-keys.js';
import {
  cutOffAtLeast,
  doubtfulAtLeast,
  isNumber,
  judged,
  looksCredential,
  namesNumber,
} from '../doubtful.js';
import { nowhere } from '../field-tables.js';
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
const lastWord = /(?:keys?|id|phrase|string|codes?|url|hash)(?=[\\"])/iy;
const lastWordAtMost = 6;

function namedTogether(view: View): readonly FoundSpan[] {
  const { source } = view;
  const { keys, leaves } = view.fields();
  const found: FoundSpan[] = [];
  for (let at = 0; at < leaves.length; at += 1) {
    const [field, owner] = [leaves.fieldOf(at), leaves.ownerOf(at)];
    if (field === nowhere || owner === nowhere) continue;
    const last = keys.at(field);
    if (last.end - last.start > lastWordAtMost) continue;
    lastWord.lastIndex = last.start;
    if (!lastWord.test(source) || lastWord.lastIndex !== last.end) continue;
    if (credentialName(`${nameIn(source, keys.at(owner))}.${nameIn(source, last)}`) !== 'strong') continue;
    const span = inPlaceOf(source, leaves.at(at));
    if (span !== null) found.push(span);
  }
  return found;
}
