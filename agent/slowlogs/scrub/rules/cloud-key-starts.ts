import {
  appSyncPrefix,
  awsIdAtLeast,
  awsTokenPrefixes,
  azureKeyAtLeast,
  elasticsearchIdLength,
  elasticsearchKeyLength,
  elasticsearchLength,
  entraMarkAt,
  googleAnywhere,
  googleDigits,
  googlePrefixes,
  otherPrefixes,
} from './cloud-key-forms.js';
import { PrefixTrie } from './prefix-trie.js';

type Form =
  'awsId' | 'elasticsearch' | 'elasticsearchPair' | 'appSync' | 'awsTokens' | 'google' | 'azure' | 'others';

/** The places where a form may begin, first to last. */
export type Starts = Readonly<Record<Form, number[]>>;

interface Begun {
  readonly form: Form;
  /** How long the prefix is, and how many letters, digits, `_` and `-` it goes on with at least. */
  readonly width: number;
  readonly namesBehind: number;
}

const prefixed: readonly (readonly [form: Form, prefixes: string, namesBehind: number])[] = [
  ['appSync', appSyncPrefix, 10],
  ['awsTokens', awsTokenPrefixes, 0],
  ['google', googlePrefixes, 10],
  ['others', otherPrefixes, 10],
];
const prefixes = new PrefixTrie<Begun>(
  prefixed.flatMap(([form, list, namesBehind]) =>
    list.split(' ').map((prefix) => ({ prefix, value: { form, width: prefix.length, namesBehind } })),
  ),
);

/** The alphabets of which runs are read, a bit each: a form begins where one of its own does. */
const [word, capital, name, base64, base64OrName, entra, digit] = [1, 2, 4, 8, 16, 32, 64];
/** Those of long runs. They are of the last of them. */
const inRuns = capital | name | base64 | base64OrName;
const alphabets: readonly (readonly [kind: number, characters: RegExp])[] = [
  [word, /[A-Za-z0-9]/],
  [capital, /[A-Z0-9]/],
  [name, /[\w-]/],
  [base64, /[A-Za-z0-9+/]/],
  [base64OrName, /[A-Za-z0-9+/_-]/],
  [entra, /[A-Za-z0-9_~.-]/],
  [digit, /\d/],
];
const kinds = Uint8Array.from({ length: 128 }, (_, code) =>
  alphabets.reduce((all, [kind, of]) => (of.test(String.fromCharCode(code)) ? all | kind : all), 0),
);
const kindsOf = (code: number): number => (code < 128 ? (kinds[code] ?? 0) : 0);

const [capitalA, capitalI, capitalQ, tilde] = [65, 73, 81, 126];
const [colon, hyphen] = [58, 45];

/**
 * One pass for all forms: expressions that look back at each place, as those do, take as long for each of them as this
 * for all.
 */
export function startsOf(plain: string): Starts {
  const starts: Starts = {
    awsId: [],
    elasticsearch: [],
    elasticsearchPair: [],
    appSync: [],
    awsTokens: [],
    google: [],
    azure: [],
    others: [],
  };
  let before = 0;
  let runEnd = 0;
  for (let at = 0; at < plain.length; at += 1) {
    const code = plain.charCodeAt(at);
    if (code === capitalA && plain.charCodeAt(at + 1) === capitalI && isGoogleKey(plain, at))
      starts.google.push(at);
    const here = kindsOf(code);
    const begun = here & ~before;
    before = here;
    if (begun === 0) continue;
    if (begun & word) addWords(starts, plain, at, code);
    if (begun & entra && hasEntraMark(plain, at + entraMarkAt)) starts.azure.push(at);
    if ((begun & inRuns) === 0) continue;
    if (at >= runEnd) runEnd = endOfRun(plain, at);
    if (runEnd - at >= awsIdAtLeast) addRuns(starts, plain, at, begun, runEnd);
  }
  return starts;
}

const hasEntraMark = (plain: string, at: number): boolean =>
  plain.charCodeAt(at) === capitalQ && plain.charCodeAt(at + 1) === tilde;

/** Read by hand: `startsWith` takes longer than all the rest of a place. */
function isGoogleKey(plain: string, from: number): boolean {
  for (let at = 2; at < googleAnywhere.length; at += 1)
    if (plain.charCodeAt(from + at) !== googleAnywhere.charCodeAt(at)) return false;
  return true;
}

function addWords(starts: Starts, plain: string, at: number, code: number): void {
  const found = prefixes.at(plain, at);
  for (let place = 0; place < found.length; place += 1) {
    const begun = found[place];
    if (begun === undefined) break;
    const from = at + begun.width;
    if (isRun(plain, name, from, from + begun.namesBehind)) starts[begun.form].push(at);
  }
  if ((kindsOf(code) & digit) === 0) return;
  const end = at + googleDigits;
  if (plain.charCodeAt(end) === hyphen && isRun(plain, digit, at, end)) starts.google.push(at);
}

function addRuns(starts: Starts, plain: string, at: number, begun: number, runEnd: number): void {
  if (begun & capital && plain.charCodeAt(at) === capitalA && isRun(plain, capital, at, at + awsIdAtLeast))
    starts.awsId.push(at);
  if (begun & name && isPair(plain, at, at + elasticsearchIdLength)) starts.elasticsearchPair.push(at);
  if (begun & base64 && isWholeRun(plain, at, at + elasticsearchLength)) starts.elasticsearch.push(at);
  if (begun & base64OrName && runEnd - at >= azureKeyAtLeast) starts.azure.push(at);
}

const isPair = (plain: string, at: number, end: number): boolean =>
  plain.charCodeAt(end) === colon &&
  isRun(plain, name, end + 1, end + 1 + elasticsearchKeyLength) &&
  isRun(plain, name, at, end);

const isWholeRun = (plain: string, at: number, end: number): boolean =>
  (kindsOf(plain.charCodeAt(end)) & base64) === 0 && isRun(plain, base64, at, end);

function endOfRun(plain: string, at: number): number {
  let end = at;
  while ((kindsOf(plain.charCodeAt(end)) & base64OrName) !== 0) end += 1;
  return end;
}

/** Read from its end, where a run that is too short has ended. */
function isRun(plain: string, kind: number, from: number, to: number): boolean {
  for (let at = to - 1; at >= from; at -= 1) if ((kindsOf(plain.charCodeAt(at)) & kind) === 0) return false;
  return true;
}
