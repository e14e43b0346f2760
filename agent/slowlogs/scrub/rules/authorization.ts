import { isOfWord } from '../letter-trie.js';
import { looksRandom } from '../randomness.js';
import type { FoundSpan } from '../span.js';
import { inSource, type Rule, type View } from '../view.js';
import { matchesOf } from './matches.js';

/** A scheme of HTTP authentication (RFC 7235) with its credentials, wherever it stands, a form's `+` for its blank; prose that names a key reads alike. */
const scheme =
  /(?<![A-Za-z0-9])(?:bearer|basic|apikey|token|digest|negotiate|splunk|ssws|genie-?key|(?:api|access|secret|auth)[ _-]?(?:key|token))[ \t+]{1,4}(?<secret>[A-Za-z0-9_~+/.:=|-]{6,})/gi;

/** Request signatures: AWS version 4, and OAuth 1. */
const signature =
  /(?:AWS4-HMAC-SHA256|OAuth)\s{1,3}(?<secret>(?:Credential|oauth_[a-z_]{2,30}|realm)=[^\n]{1,2000})/g;

/** Digest access authentication (RFC 7616), whose parameters hold quotation marks. */
const digest =
  /digest\s{1,4}\w{1,20}="[^"\n]{0,300}"(?:,\s{0,4}\w{1,20}=(?:"[^"\n]{0,300}"|[^\s",]{1,300})){0,12}/iy;

/** User and password of `curl -u`, `wget --user` and their like, but for variables of a shell. */
const commandUser =
  /(?<=\s)(?:-u|-U|--user|--proxy-user)(?:[ \t]{1,4}|=)(?<secret>["']?[^\s"':]{0,200}(?:["']?:["']?[^\s"']{1,200}|:(?=["'])))/g;
const placeholder = /:["']?(?:\$|<|\[[A-Z_ ]+\]|\{\{|%)|^["']?(?:\$|<|\{\{)/;

/** Command lines that take a password behind a letter: MySQL's and MongoDB's clients, `sshpass`, `redis-cli`; and SQL that sets one. */
const databaseCommand =
  /(?:mysql|mysqldump|mysqladmin|mariadb|mariadb-dump)(?:\s[^\n]{0,100}?)?\s-p["']?(?<secret>[^\s"'-][^\s"']{2,})/g;
const otherCommand =
  /(?:(?:mongo|mongosh|mongodump|mongorestore)(?:\s[^\n]{0,100}?)?\s-p|sshpass\s{1,4}-p|(?:docker|podman|helm)\s[^\n]{0,40}?login(?:\s[^\n]{0,100}?)?\s-p|redis-cli(?:\s[^\n]{0,100}?)?\s-a)[ \t]{0,4}["']?(?<secret>[^\s"'-][^\s"']{2,})/g;
const sql =
  /(?:identified\s{1,4}(?:with\s{1,4}\w{1,40}\s{1,4})?by|set\s{1,4}password\s{1,4}=|password)\s{1,4}'(?<secret>[^'\n]{1,200})/gi;

/** `the password is …`: what follows is taken where it can be no word of the sentence. */
const spoken =
  /(?<![A-Za-z])(?:passwords?|passphrase|passcode|pwd|secret|token|(?:api|access|secret)[ _-]?key)[ \t]{1,4}(?:is|was|are|were)[ \t]{1,4}(?:now[ \t]{1,4}|set[ \t]{1,4}to[ \t]{1,4})?(?<secret>[^\s"'`,;<>]{5,200})/gi;
const isNoWord = (text: string): boolean =>
  (/\d/.test(text) && /[a-z]/i.test(text)) || /[!@#$%^&*~]|[a-z][A-Z]/.test(text);

export const authorization: Rule = {
  name: 'authorization',
  find: (view) => [
    ...matchesOf(view, scheme, ({ groups }) => looksLikeCredential(groups?.['secret'] ?? '')),
    ...matchesOf(view, signature),
    ...(view.plain.includes('="') ? digests(view) : []),
    ...(view.plain.includes('-u') || view.plain.includes('-U')
      ? matchesOf(view, commandUser, ({ groups }) => !placeholder.test(groups?.['secret'] ?? ''))
      : []),
    ...(view.plain.includes(' -p') ? matchesOf(view, databaseCommand) : []),
    ...(/ -[pa]/.test(view.plain) ? matchesOf(view, otherCommand) : []),
    ...(view.plain.includes("'") ? matchesOf(view, sql) : []),
    ...matchesOf(view, spoken, ({ groups }) => isNoWord(groups?.['secret'] ?? '')),
  ],
};

/** What stands behind the word: it is read by hand, as a text may hold it again and again. */
function digests(view: View): FoundSpan[] {
  const { plain } = view;
  const spans: FoundSpan[] = [];
  let isWord = false;
  for (let at = 0; at < plain.length; at += 1) {
    const code = plain.charCodeAt(at);
    const wasWord: boolean = isWord;
    isWord = isOfWord(code);
    if (wasWord || (code | smallLetter) !== smallD || (plain.charCodeAt(at + 1) | smallLetter) !== smallI)
      continue;
    digest.lastIndex = at;
    if (!digest.test(plain)) continue;
    let start = at + schemeLength;
    while (isBlank(plain.charCodeAt(start))) start += 1;
    const end = Math.min(digest.lastIndex, view.stringEnd(start));
    spans.push(inSource(view, start, end));
    at = Math.max(end, at + 1) - 1;
    isWord = isOfWord(plain.charCodeAt(at));
  }
  return spans;
}
const schemeLength = 'digest'.length;
const [smallLetter, smallD, smallI, underscore] = [32, 100, 105, 95];
/** Behind the word, before a name. */
const isBlank = (code: number): boolean => !isOfWord(code) && code !== underscore;

/** Words follow `basic` and `token` in prose; credentials have digits, or base64's padding, or mix their cases. */
function looksLikeCredential(text: string): boolean {
  if (text.endsWith('=')) return true;
  if (/^[a-z]+$/i.test(text) && !/[a-z][A-Z]/.test(text)) return text.length >= 32;
  return looksRandom(text, 8) || (text.length >= 12 && /[a-z][A-Z]|[A-Z]{2}[a-z]/.test(text));
}
