import { platformTokenForms } from './platform-token-forms.js';
import { productTokenForms } from './product-token-forms.js';
import type { TokenForm } from './token-form.js';

interface Candidate extends Pick<TokenForm, 'body' | 'least' | 'most'> {
  /** How long the prefix is. */
  readonly width: number;
}

/** What begins alike, letter by letter. */
class Beginning {
  /** All forms whose prefixes end here or earlier, in the order of the lists. */
  readonly candidates: Candidate[] = [];
  readonly longer: Beginning[] = [];

  constructor(readonly lastCode: number) {}

  /** Most go on with one character, few with several: no map is as fast. */
  withNext(code: number): Beginning | undefined {
    for (const longer of this.longer) if (longer.lastCode === code) return longer;
    return undefined;
  }
}

/** By the first two characters, which every form has as they stand, and which are ASCII. */
const byStart: (Beginning | undefined)[] = new Array<undefined>(1 << 14).fill(undefined);
const placeOf = (first: number, second: number): number => (first << 7) | second;

const none: readonly Candidate[] = [];

/** All forms that may begin at a place, in the order of the lists. Asked at every word, so no prefix is compared with it. */
export function formsAt(plain: string, at: number): readonly Candidate[] {
  return longestAt(plain, at)?.candidates ?? none;
}

function longestAt(plain: string, at: number): Beginning | undefined {
  const second = plain.charCodeAt(at + 1);
  let beginning = second < 128 ? byStart[placeOf(plain.charCodeAt(at), second)] : undefined;
  for (let next = at + 2, longer = beginning; longer !== undefined; next += 1) {
    beginning = longer;
    longer = beginning.withNext(plain.charCodeAt(next));
  }
  return beginning;
}

const listed = [...platformTokenForms, ...productTokenForms].flatMap(({ prefixes, body, least, most }) =>
  prefixes.map((prefix) => ({ prefix, candidate: { width: prefix.length, body, least, most } })),
);
for (const { prefix } of listed) {
  const second = prefix.charCodeAt(1);
  let beginning = (byStart[placeOf(prefix.charCodeAt(0), second)] ??= new Beginning(second));
  for (let at = 2; at < prefix.length; at += 1) {
    const code = prefix.charCodeAt(at);
    const longer = beginning.withNext(code) ?? new Beginning(code);
    if (!beginning.longer.includes(longer)) beginning.longer.push(longer);
    beginning = longer;
  }
}
for (const { prefix, candidate } of listed) add(longestAt(prefix, 0), candidate);

function add(beginning: Beginning | undefined, candidate: Candidate): void {
  if (beginning === undefined) return;
  beginning.candidates.push(candidate);
  for (const longer of beginning.longer) add(longer, candidate);
}
