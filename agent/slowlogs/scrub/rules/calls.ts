import type { Rule } from '../view.js';
import { matchesOf } from './matches.js';

/** Calls that take a user and a password by their places, in the languages that have them; what is in quotation marks goes. */
const logins =
  /(?:Basic_?Auth(?:entication)?|Credentials?(?:\.basic)?|PasswordAuthentication|getConnection|mysqli(?:_connect)?|(?:mysql|pg|oci|ssh2|ftp|ldap)_(?:connect|login|bind|auth_password)|new PDO|(?:pymysql|psycopg2|MySQLdb|mysql\.connector|cx_Oracle|oracledb|pyodbc|pymssql)\.connect|\.(?:login|authenticate|auth|simple_bind_s))[ \t]?\([ \t]{0,4}(?<secret>(?:"[^"\n]{0,200}"|'[^'\n]{0,200}'|[\w.$]{1,60})(?:[ \t]{0,4},[ \t]{0,4}(?:"[^"\n]{0,200}"|'[^'\n]{0,200}'|[\w.$]{1,60})){1,6})/gi;

/** Commands of a shell whose passwords stand behind a letter of their own. */
const commands =
  /(?:ldap(?:search|modify|add|delete|passwd|whoami)(?:\s[^\n]{0,200}?)?\s-w|smb(?:client|map|get)(?:\s[^\n]{0,200}?)?\s-U|net\s{1,4}use(?:\s[^\n]{0,200}?)?\s\/user:\S{1,100}|\s-pass(?:in|out)?\s{1,4}pass:|(?:htpasswd)\s{1,4}-\w{0,4}b\w{0,4}\s{1,4}\S{1,200}\s{1,4}\S{1,100})[ \t]{0,4}["']?(?<secret>[^\s"'-][^\s"']{2,100})/g;

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
    ...(/PASS |AUTH |LOGIN /.test(view.plain) ? matchesOf(view, protocols) : []),
    ...(view.plain.includes(':') ? matchesOf(view, pgpass) : []),
  ],
};
