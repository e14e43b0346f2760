import { isOfWord } from '../letter-trie.js';
import type { FoundSpan } from '../span.js';
import type { Units } from '../units.js';
import { inSource, type Rule, type View } from '../view.js';
import { behindBlanks } from './blanks.js';
import { commandUsers } from './command-users.js';
import { databaseClients, databaseCommands, otherClients, otherCommands } from './database-commands.js';
import { schemes } from './schemes.js';
import { setPasswords } from './set-passwords.js';
import { SignPlaces, wordSign } from './sign-places.js';
import { spokenSecrets } from './spoken-secrets.js';
import { behindOneOf, isAt } from './words-at.js';

const algorithms = ['AWS4-HMAC-SHA256', 'OAuth'];
const wordsOf = new SignPlaces([
  algorithms.map(wordSign),
  ['d', 'D'].map((sign) => ({
    ...wordSign(sign),
    before: '[^A-Za-z0-9]',
    after: '[iI]',
    far: [5, '[tT]'] as const,
  })),
  databaseClients.map(wordSign),
  otherClients.map(wordSign),
]);

/** What logs in, as headers, command lines, SQL and prose have it. */
export const authorization: Rule = {
  name: 'authorization',
  find(view) {
    const [algorithmNames = [], digestWords = [], databaseNames = [], otherNames = []] = wordsOf.in(
      view.units,
    );
    return schemes(view).concat(
      signatures(view, algorithmNames),
      digests(view, digestWords),
      commandUsers(view),
      databaseCommands(view, databaseNames),
      otherCommands(view, otherNames),
      setPasswords(view),
      spokenSecrets(view),
    );
  },
};

const nowhere = -1;
const [lineFeed, equals] = [10, 61];
const signatureAtMost = 2_000;

/** Request signatures: AWS version 4, and OAuth 1. */
function signatures(view: View, places: readonly number[]): FoundSpan[] {
  const { units } = view;
  const spans: FoundSpan[] = [];
  let taken = 0;
  for (const at of places) {
    const algorithm = at < taken ? nowhere : behindOneOf(units, at, algorithms);
    const start = algorithm === nowhere ? nowhere : behindBlanks(units, algorithm, 3);
    const value = start === algorithm ? nowhere : parameterEnd(units, start);
    if (value === nowhere || value >= units.length || units.at(value) === lineFeed) continue;
    taken = lineEnd(units, value, Math.min(value + signatureAtMost, view.stringEnd(start)));
    spans.push(inSource(view, start, taken));
  }
  return spans;
}

/** Behind the equals sign of a signature's first parameter. */
function parameterEnd(units: Units, start: number): number {
  const named = behindOneOf(units, start, parameters);
  if (named !== nowhere) return named;
  if (!isAt(units, start, 'oauth_')) return nowhere;
  const from = start + 6;
  let end = from;
  while (end < from + 30 && isOfParameter(units.at(end))) end += 1;
  return end > from + 1 && units.at(end) === equals ? end + 1 : nowhere;
}
const parameters = ['Credential=', 'realm='];
const isOfParameter = (code: number): boolean => (code >= 97 && code <= 122) || code === underscore;

/** The end of a line, no farther than a place. */
function lineEnd(units: Units, from: number, to: number): number {
  let end = Math.min(from, to);
  while (end < to && units.at(end) !== lineFeed) end += 1;
  return end;
}

/** Digest access authentication (RFC 7616), whose parameters hold quotation marks. */
const digest =
  /digest\s{1,4}\w{1,20}="[^"\n]{0,300}"(?:,\s{0,4}\w{1,20}=(?:"[^"\n]{0,300}"|[^\s",]{1,300})){0,12}/iy;

/** What stands behind the word: it is read by hand, as a text may hold it again and again. */
function digests(view: View, places: readonly number[]): FoundSpan[] {
  const { plain, units } = view;
  const spans: FoundSpan[] = [];
  let taken = 0;
  for (const at of places) {
    digest.lastIndex = at;
    if (at < taken || !digest.test(plain)) continue;
    let start = at + schemeLength;
    while (isBlank(units.at(start))) start += 1;
    taken = Math.min(digest.lastIndex, view.stringEnd(start));
    spans.push(inSource(view, start, taken));
  }
  return spans;
}
const schemeLength = 'digest'.length;
const underscore = 95;
/** Behind the word, before a name. */
const isBlank = (code: number): boolean => !isOfWord(code) && code !== underscore;
