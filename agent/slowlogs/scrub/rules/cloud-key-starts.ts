import type { Units } from '../units.js';
import { awsIdAtLeast } from './aws-keys.js';
import {
  appSyncPrefix,
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
export function startsOf(units: Units): Starts {
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
  for (let at = 0; at < units.length; at += 1) {
    const code = units.at(at);
    if (code === capitalA && units.at(at + 1) === capitalI && isGoogleKey(units, at)) starts.google.push(at);
    const here = kindsOf(code);
    const begun = here & ~before;
    before = here;
    if (begun === 0) continue;
    if (begun & word) addWords(starts, units, at, code);
    if (begun & entra && hasEntraMark(units, at + entraMarkAt)) starts.azure.push(at);
    if ((begun & inRuns) === 0) continue;
    if (at >= runEnd) runEnd = endOfRun(units, at);
    if (runEnd - at >= awsIdAtLeast) addRuns(starts, units, at, begun, runEnd);
  }
  return starts;
}

const hasEntraMark = (units: Units, at: number): boolean =>
  units.at(at) === capitalQ && units.at(at + 1) === tilde;

/** Read by hand: `startsWith` takes longer than all the rest of a place. */
function isGoogleKey(units: Units, from: number): boolean {
  for (let at = 2; at < googleAnywhere.length; at += 1)
    if (units.at(from + at) !== googleAnywhere.charCodeAt(at)) return false;
  return true;
}

function addWords(starts: Starts, units: Units, at: number, code: number): void {
  const found = prefixes.at(units, at);
  for (let place = 0; place < found.length; place += 1) {
    const begun = found[place];
    if (begun === undefined) break;
    const from = at + begun.width;
    if (isRun(units, name, from, from + begun.namesBehind)) starts[begun.form].push(at);
  }
  if ((kindsOf(code) & digit) === 0) return;
  const end = at + googleDigits;
  if (units.at(end) === hyphen && isRun(units, digit, at, end)) starts.google.push(at);
}

function addRuns(starts: Starts, units: Units, at: number, begun: number, runEnd: number): void {
  if (begun & capital && units.at(at) === capitalA && isRun(units, capital, at, at + awsIdAtLeast))
    starts.awsId.push(at);
  if (begun & name && isPair(units, at, at + elasticsearchIdLength)) starts.elasticsearchPair.push(at);
  if (begun & base64 && isWholeRun(units, at, at + elasticsearchLength)) starts.elasticsearch.push(at);
  if (begun & base64OrName && runEnd - at >= azureKeyAtLeast) starts.azure.push(at);
}

const isPair = (units: Units, at: number, end: number): boolean =>
  units.at(end) === colon &&
  isRun(units, name, end + 1, end + 1 + elasticsearchKeyLength) &&
  isRun(units, name, at, end);

const isWholeRun = (units: Units, at: number, end: number): boolean =>
  (kindsOf(units.at(end)) & base64) === 0 && isRun(units, base64, at, end);

function endOfRun(units: Units, at: number): number {
  let end = at;
  while ((kindsOf(units.at(end)) & base64OrName) !== 0) end += 1;
  return end;
}

/** Read from its end, where a run that is too short has ended. */
function isRun(units: Units, kind: number, from: number, to: number): boolean {
  for (let at = to - 1; at >= from; at -= 1) if ((kindsOf(units.at(at)) & kind) === 0) return false;
  return true;
}
