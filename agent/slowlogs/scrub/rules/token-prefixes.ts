import type { Units } from '../units.js';
import { platformTokenForms } from './platform-token-forms.js';
import { PrefixTrie } from './prefix-trie.js';
import { productTokenForms } from './product-token-forms.js';
import type { TokenForm } from './token-form.js';

interface Candidate extends Pick<TokenForm, 'body' | 'least' | 'most'> {
  /** How long the prefix is. */
  readonly width: number;
}

/** As long as any text: a whole number, as the others are, is compared faster than Infinity. */
const longest = 2 ** 30 - 1;

const prefixes = new PrefixTrie<Candidate>(
  [...platformTokenForms, ...productTokenForms].flatMap((form) =>
    form.prefixes.map((prefix) => ({
      prefix,
      value: {
        width: prefix.length,
        body: form.body,
        least: form.least,
        most: Math.min(form.most, longest),
      },
    })),
  ),
);

/** All forms that may begin at a place, in the order of the lists. */
export const formsAt = (units: Units, at: number): readonly Candidate[] => prefixes.at(units, at);
