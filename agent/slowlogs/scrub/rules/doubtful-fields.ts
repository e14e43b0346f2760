import { credentialName } from '../credential-keys.js';
import {
  cutOffAtLeast,
  doubtfulAtLeast,
  isNumber,
  judged,
  looksCredential,
  namesNumber,
} from '../doubtful.js';
import type { Leaf } from '../json-frames.js';
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
  const isCut = ({ start, end }: Leaf): boolean =>
    cutOff && end === source.length && end - start >= cutOffAtLeast;
  return leavesNamed(
    view,
    (leaf) => leaf.end - leaf.start >= doubtfulAtLeast || isCut(leaf),
    doubtOf,
    (leaf, says) => {
      const value = source.slice(leaf.start, leaf.end);
      if (says === 'vendor of numbers' && isNumber(value)) return false;
      return isCut(leaf) || looksCredential(value, says === 'weak' ? 'weak' : 'vendor');
    },
  );
}

function doubtOf(name: string): 'weak' | 'vendor' | 'vendor of numbers' | null {
  const says = judged(name);
  if (says === 'vendor') return namesNumber(name) ? 'vendor of numbers' : says;
  return says === 'weak' ? says : null;
}

/** Last words of names of several that say little alone: `{"api":{"key":…}}`. */
const lastWord = /^(?:keys?|id|phrase|string|codes?|url|hash)$/i;
const lastWordAtMost = 6;

function namedTogether(view: View): readonly FoundSpan[] {
  const { source } = view;
  const found: FoundSpan[] = [];
  for (const leaf of view.fields().leaves) {
    const { field, owner } = leaf;
    if (field === null || owner === null || field.end - field.start > lastWordAtMost) continue;
    if (!lastWord.test(source.slice(field.start, field.end))) continue;
    if (credentialName(`${nameIn(source, owner)}.${nameIn(source, field)}`) !== 'strong') continue;
    const span = inPlaceOf(source, leaf);
    if (span !== null) found.push(span);
  }
  return found;
}
