import { isOfWord } from '../letter-trie.js';
import type { FoundSpan } from '../span.js';
import type { Units } from '../units.js';
import { inSource, type Rule, type View } from '../view.js';
import { behindBlanks } from './blanks.js';
import { commandUsers } from './command-users.js';
import { databaseCommands, otherCommands } from './database-commands.js';
import { schemes } from './schemes.js';
import { setPasswords } from './set-passwords.js';
import { spokenSecrets } from './spoken-secrets.js';
import { behindOneOf, isAt } from './words-at.js';

/** What logs in, as headers, command lines, SQL and prose have it. */
export const authorization: Rule = {
  name: 'authorization',
  find: (view) =>
    schemes(view).concat(
      signatures(view),
      digests(view),
      commandUsers(view),
      databaseCommands(view),
      otherCommands(view),
      setPasswords(view),
      spokenSecrets(view),
    ),
};

const nowhere = -1;
const [lineFeed, equals, capitalA, capitalO] = [10, 61, 65, 79];
const algorithms = ['AWS4-HMAC-SHA256', 'OAuth'];
const signatureAtMost = 2_000;

/** Request signatures: AWS version 4, and OAuth 1. */
function signatures(view: View): FoundSpan[] {
  const { units } = view;
  const spans: FoundSpan[] = [];
  for (let at = 0; at < units.length; at += 1) {
    const code = units.at(at);
    if (code !== capitalA && code !== capitalO) continue;
    const algorithm = behindOneOf(units, at, algorithms);
    const start = algorithm === nowhere ? nowhere : behindBlanks(units, algorithm, 3);
    const value = start === algorithm ? nowhere : parameterEnd(units, start);
    if (value === nowhere || value >= units.length || units.at(value) === lineFeed) continue;
    const end = lineEnd(units, value, Math.min(value + signatureAtMost, view.stringEnd(start)));
    spans.push(inSource(view, start, end));
    at = Math.max(end, at + 1) - 1;
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
function digests(view: View): FoundSpan[] {
  const { plain, units } = view;
  const spans: FoundSpan[] = [];
  let isWord = false;
  for (let at = 0; at < units.length; at += 1) {
    const code = units.at(at);
    const wasWord: boolean = isWord;
    isWord = isOfWord(code);
    if (wasWord || (code | smallLetter) !== smallD || (units.at(at + 1) | smallLetter) !== smallI) continue;
    digest.lastIndex = at;
    if (!digest.test(plain)) continue;
    let start = at + schemeLength;
    while (isBlank(units.at(start))) start += 1;
    const end = Math.min(digest.lastIndex, view.stringEnd(start));
    spans.push(inSource(view, start, end));
    at = Math.max(end, at + 1) - 1;
    isWord = isOfWord(units.at(at));
  }
  return spans;
}
const schemeLength = 'digest'.length;
const [smallLetter, smallD, smallI, underscore] = [32, 100, 105, 95];
/** Behind the word, before a name. */
const isBlank = (code: number): boolean => !isOfWord(code) && code !== underscore;
