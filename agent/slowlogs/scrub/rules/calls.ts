import type { FoundSpan } from '../span.js';
import type { Rule, View } from '../view.js';
import { matchesOf } from './matches.js';

/** Calls that take a user and a password by their places, in the languages that have them; what is in quotation marks goes. */
const logins =
  /(?:Basic_?Auth(?:entication)?|Credentials?(?:\.basic)?|PasswordAuthentication|getConnection|mysqli(?:_connect)?|(?:mysql|pg|oci|ssh2|ftp|ldap)_(?:connect|login|bind|auth_password)|new PDO|(?:pymysql|psycopg2|MySQLdb|mysql\.connector|cx_Oracle|oracledb|pyodbc|pymssql)\.connect|\.(?:login|authenticate|auth|simple_bind_s))[ \t]?\([ \t]{0,4}(?<secret>(?:"[^"\n]{0,200}"|'[^'\n]{0,200}'|[\w.$]{1,60})(?:[ \t]{0,4},[ \t]{0,4}(?:"[^"\n]{0,200}"|'[^'\n]{0,200}'|[\w.$]{1,60})){1,6})/gi;

/** Commands of a shell whose passwords stand behind a letter of their own. */
const commands =
  /(?:ldap(?:search|modify|add|delete|passwd|whoami)(?:\s[^\n]{0,200}?)?\s-w|smb(?:client|map|get)(?:\s[^\n]{0,200}?)?\s-U|\s-pass(?:in|out)?\s{1,4}pass:)[ \t]{0,4}["']?(?<secret>(?<=")(?!\s*[,:}\]])[^"\n]{3,}|(?<=')(?!\s*[,:}\]])[^'\n]{3,}|[^\s"'-][^\s"']{2,})/g;

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

export const calls: Rule = {
  name: 'calls',
  find: (view) => [
    ...(view.plain.includes('(')
      ? matchesOf(view, logins, ({ groups }) => /["']/.test(groups?.['secret'] ?? ''))
      : []),
    ...matchesOf(view, commands),
    ...wholeLines(view),
    ...(/PASS |AUTH |LOGIN /.test(view.plain) ? matchesOf(view, protocols) : []),
    ...(view.plain.includes(':') ? matchesOf(view, pgpass) : []),
  ],
};
