import type { FoundSpan } from '../span.js';
import type { Rule, View } from '../view.js';
import { matchesOf, spanOf } from './matches.js';
import { NextMatch } from './next-match.js';

/** Calls that take a user and a password by their places, in the languages that have them; what is in quotation marks goes. */
const logins =
  /(?:Basic_?Auth(?:entication)?|Credentials?(?:\.basic)?|PasswordAuthentication|getConnection|mysqli(?:_connect)?|(?:mysql|pg|oci|ssh2|ftp|ldap)_(?:connect|login|bind|auth_password)|new PDO|(?:pymysql|psycopg2|MySQLdb|mysql\.connector|cx_Oracle|oracledb|pyodbc|pymssql)\.connect|\.(?:login|authenticate|auth|simple_bind_s))[ \t]?\([ \t]{0,4}(?<secret>(?:"[^"\n]{0,200}"|'[^'\n]{0,200}'|[\w.$]{1,60})(?:[ \t]{0,4},[ \t]{0,4}(?:"[^"\n]{0,200}"|'[^'\n]{0,200}'|[\w.$]{1,60})){1,6})/gi;

/** Commands of a shell whose passwords stand behind a letter of their own. */
const commands =
  /(?:ldap(?:search|modify|add|delete|passwd|whoami)(?:\s[^\n]{0,200}?)?\s-w|smb(?:client|map|get)(?:\s[^\n]{0,200}?)?\s-U|\s-pass(?:in|out)?\s{1,4}pass:)[ \t]{0,4}["']?(?<secret>(?<=")(?!\s*[,:}\]])[^"\n]{3,}|(?<=')(?!\s*[,:}\]])[^'\n]{3,}|[^\s"'-][^\s"']{2,})/y;
const begins =
  /(?<ldap>ldap(?:search|modify|add|delete|passwd|whoami))\s|smb(?:client|map|get)\s|\s-pass(?:in|out)?\s{1,4}pass:/g;
/** The letters, with what must stand behind them. */
const value = String.raw`(?=[ \t]{0,4}["']?[^\s"'-]|[ \t]{0,4}["'][^\n]{3})`;
const ldapLetter = new RegExp(String.raw`\s-w${value}`, 'g');
const smbLetter = new RegExp(String.raw`\s-U${value}`, 'g');
/** So far behind its command a letter is looked for. */
const letterAtMost = 200;

/** Where the letters come next is remembered: of commands without any there may be many. */
function shellPasswords(view: View): FoundSpan[] {
  const { plain } = view;
  const spans: FoundSpan[] = [];
  const [nextLdap, nextSmb] = [new NextMatch(plain, ldapLetter), new NextMatch(plain, smbLetter)];
  begins.lastIndex = 0;
  for (let found = begins.exec(plain); found !== null; found = begins.exec(plain)) {
    const { index, groups } = found;
    const letter = groups?.['ldap'] !== undefined ? nextLdap : found[0].startsWith('smb') ? nextSmb : null;
    begins.lastIndex -= letter === null ? 0 : 1; // the blank may belong to the letter
    if (letter !== null && letter.from(begins.lastIndex) > begins.lastIndex + letterAtMost + 1) continue;
    commands.lastIndex = index;
    const match = commands.exec(plain);
    if (match === null) continue;
    const span = spanOf(view, commands, match);
    if (span !== null) spans.push(span);
    begins.lastIndex = commands.lastIndex;
  }
  return spans;
}

/** Commands whose passwords stand among other words: all of their line goes. */
const lineCommands =
  /(?<![A-Za-z])(?:(?<netUse>net\s{1,4}use)|htpasswd(?:\s{1,4}-\w{1,8}){0,4}?\s{1,4}-\w{0,8}b\w{0,8})\s/g;
const netUser = /(?:\/|%2F)u(?:ser)?(?::|%3A)/i;

/**
 * To the end of their line, or of the string of JSON that they stand in. The end is looked for in the source: the view of
 * `\\nas\share` begins with a line break.
 */
function wholeLines(view: View): FoundSpan[] {
  const { source, plain } = view;
  const spans: FoundSpan[] = [];
  lineCommands.lastIndex = 0;
  let lineEnd = -1;
  for (let found = lineCommands.exec(plain); found !== null; found = lineCommands.exec(plain)) {
    const start = view.sourceIndex(lineCommands.lastIndex);
    if (lineEnd < start) lineEnd = source.indexOf('\n', start);
    if (lineEnd === -1) lineEnd = source.length;
    const end = Math.min(lineEnd, view.sourceIndex(view.stringEnd(lineCommands.lastIndex)));
    if (found.groups?.['netUse'] === undefined || netUser.test(source.slice(start, end)))
      spans.push({ start, end });
    while (lineCommands.lastIndex < plain.length && view.sourceIndex(lineCommands.lastIndex) < end)
      lineCommands.lastIndex += 1;
  }
  return spans;
}

/** Lines of FTP, POP, IMAP, SMTP and Redis that log in. */
const protocols =
  /(?<=(?:^|\n|> ?|\b[A-Za-z]{1,3}\d{1,5} ))(?:PASS|AUTH(?: (?:PLAIN|LOGIN|CRAM-MD5|XOAUTH2))?|LOGIN)[ \t](?<secret>[^\s"',;:(){}]{4,400}(?:[ \t][^\s"',;:(){}]{4,400})?)(?=\r?\n|$|["'])/g;

/** A line of `.pgpass`: host, port, database, user, password. */
const pgpass =
  /(?<=(?:^|\n|["'`\s])(?:[A-Za-z][\w.-]{0,100}|\*|\d{1,3}(?:\.\d{1,3}){3}):(?:\d{2,5}|\*):)[\w*-]{1,60}:[\w.@*-]{1,60}:[^\s:"']{4,200}(?=\s|["']|$)/g;

/** Behind the ports of other servers a plain word may be anything: `es1:9300:node:data:warm`. */
function mayHoldPassword({ 0: line, index, input }: RegExpExecArray): boolean {
  const isPostgres = /:(?:543\d|6432|\*):$/.test(input.slice(Math.max(0, index - 8), index));
  return isPostgres || !/:[a-z]+$/.test(line);
}

export const calls: Rule = {
  name: 'calls',
  find: (view) => [
    ...(view.plain.includes('(')
      ? matchesOf(view, logins, ({ groups }) => /["']/.test(groups?.['secret'] ?? ''))
      : []),
    ...shellPasswords(view),
    ...wholeLines(view),
    ...(/PASS |AUTH |LOGIN /.test(view.plain) ? matchesOf(view, protocols) : []),
    ...(view.plain.includes(':') ? matchesOf(view, pgpass, mayHoldPassword) : []),
  ],
};
