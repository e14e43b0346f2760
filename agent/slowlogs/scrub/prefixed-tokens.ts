import { entropy } from './randomness.js';
import { finding, type Finding } from './replacements.js';
import type { TokenForm } from './token-form.js';
import { tokensOfServices } from './tokens-of-services.js';
import { tokensOfSystems } from './tokens-of-systems.js';

/** None of these follows a letter or a digit immediately. */
const prefixed = [...tokensOfSystems, ...tokensOfServices];

/** These are unmistakable: they may follow other letters immediately. */
const anywhere: readonly TokenForm[] = [
  { vendor: 'Google', source: 'AIzaSy[A-Za-z0-9_-]{30,}' },
  { vendor: 'Slack', source: 'xox[abeoprs]-\\d{9,16}-[A-Za-z0-9-]{16,512}' },
  { vendor: 'Telltale', source: 'tt_[a-z2-7]{12}_[A-Za-z0-9_-]{20,100}' },
];

const sourceOf = (forms: readonly TokenForm[]): string => forms.map(({ source }) => source).join('|');
/** A token takes the rest of its word. */
const all = new RegExp(
  `(?:(?<![A-Za-z0-9])(?:${sourceOf(prefixed)})|${sourceOf(anywhere)})[A-Za-z0-9_-]{0,200}`,
  'g',
);

/** Documentation repeats one character in place of a token. */
const isPlaceholder = (token: string): boolean => token.length >= 16 && entropy(token.slice(-64)) < 1.5;

/** Tokens whose beginning identifies their vendor, as the vendors document it. */
export function prefixedTokens(text: string): readonly Finding[] {
  const found: Finding[] = [];
  for (const { 0: token, index } of text.matchAll(all))
    if (!isPlaceholder(token))
      found.push(finding(`token of ${vendorOf(token)}`, index, index + token.length));
  return found;
}

const vendorOf = (token: string): string =>
  [...prefixed, ...anywhere].find(({ source }) => new RegExp(`^(?:${source})`).test(token))?.vendor ?? 'none';
