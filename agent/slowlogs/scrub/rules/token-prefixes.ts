import { platformTokenForms } from './platform-token-forms.js';
import { productTokenForms } from './product-token-forms.js';
import type { TokenForm } from './token-form.js';

export interface Candidate extends Pick<TokenForm, 'body' | 'least' | 'most'> {
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
    const { longer } = this;
    for (let place = 0; place < longer.length; place += 1)
      if (longer[place]?.lastCode === code) return longer[place];
    return undefined;
  }
}

/** By the first two characters, which every form has as they stand, and which are ASCII: one more than where it is listed. */
const byStart = new Uint16Array(1 << 14);
const starts: Beginning[] = [];
const placeOf = (first: number, second: number): number => (first << 7) | second;

const none: readonly Candidate[] = [];

/** All forms that may begin at a place, in the order of the lists. Asked at every word, so no prefix is compared with it. */
export function formsAt(plain: string, at: number): readonly Candidate[] {
  return longestAt(plain, at)?.candidates ?? none;
}

function longestAt(plain: string, at: number): Beginning | undefined {
  const first = plain.charCodeAt(at);
  const second = plain.charCodeAt(at + 1);
  const start = first < 128 && second < 128 ? (byStart[placeOf(first, second)] ?? 0) : 0;
  if (start === 0) return undefined;
  let beginning = starts[start - 1];
  for (let next = at + 2, longer = beginning; longer !== undefined; next += 1) {
    beginning = longer;
    longer = beginning.withNext(plain.charCodeAt(next));
  }
  return beginning;
}

/** As long as any text: a whole number, as the others are, is compared faster than Infinity. */
const longest = 2 ** 30 - 1;

const listed = [...platformTokenForms, ...productTokenForms].flatMap(({ prefixes, body, least, most }) =>
  prefixes.map((prefix) => ({
    prefix,
    candidate: { width: prefix.length, body, least, most: Math.min(most, longest) },
  })),
);
for (const { prefix } of listed) {
  let beginning = startOf(prefix.charCodeAt(0), prefix.charCodeAt(1));
  for (let at = 2; at < prefix.length; at += 1) {
    const code = prefix.charCodeAt(at);
    const longer = beginning.withNext(code) ?? new Beginning(code);
    if (!beginning.longer.includes(longer)) beginning.longer.push(longer);
    beginning = longer;
  }
}
for (const { prefix, candidate } of listed) add(longestAt(prefix, 0), candidate);

function startOf(first: number, second: number): Beginning {
  const place = placeOf(first, second);
  const known = starts[(byStart[place] ?? 0) - 1];
  if (known !== undefined) return known;
  const start = new Beginning(second);
  byStart[place] = starts.push(start);
  return start;
}

function add(beginning: Beginning | undefined, candidate: Candidate): void {
  if (beginning === undefined) return;
  beginning.candidates.push(candidate);
  for (const longer of beginning.longer) add(longer, candidate);
}
