import type { FoundSpan } from '../span.js';
import type { Units } from '../units.js';
import { inSource, type View } from '../view.js';
import { behindGaps, isGap } from './blanks.js';
import { Endings } from './endings.js';
import { isWordUnit } from './words-at.js';
import { isQuote } from './quotation-marks.js';

/**
 * Names of calls that take a user and a password by their places, in the languages that have them, without case. The
 * methods begin with a dot, so that no longer name ends like them.
 */
const names = new Endings(
  [
    ...['basicauth', 'basic_auth', 'basicauthentication', 'basic_authentication', 'passwordauthentication'],
    ...['credential', 'credentials', 'credential.basic', 'credentials.basic', 'getconnection', 'new pdo'],
    ...['.login', '.authenticate', '.auth', '.simple_bind_s', 'mysqli', 'mysqli_connect'],
    ...['mysql', 'pg', 'oci', 'ssh2', 'ftp', 'ldap'].flatMap((protocol) =>
      ['connect', 'login', 'bind', 'auth_password'].map((verb) => `${protocol}_${verb}`),
    ),
    ...[
      'pymysql',
      'psycopg2',
      'mysqldb',
      'mysql.connector',
      'cx_oracle',
      'oracledb',
      'pyodbc',
      'pymssql',
    ].map((driver) => `${driver}.connect`),
  ],
  true,
);
/** Their arguments go, where one stands in quotation marks. A name is no part of the call before. */
export function logins(view: View): FoundSpan[] {
  const { units } = view;
  const spans: FoundSpan[] = [];
  let taken = 0;
  for (let at = units.text.indexOf('('); at !== -1 && at < units.length; at += 1) {
    if (units.at(at) !== opening || names.startOf(units, isGap(units.at(at - 1)) ? at - 1 : at) < taken)
      continue;
    const start = behindGaps(units, at + 1, 4);
    const last = argumentsEnd(units, start);
    if (last === nowhere) continue;
    taken = last;
    if (hasQuote(units, start, last)) {
      taken = Math.min(last, view.stringEnd(start));
      spans.push(inSource(view, start, taken));
    }
    at = Math.max(taken, at + 1) - 1;
  }
  return spans;
}

const nowhere = -1;
const [lineFeed, dollar, opening, comma, dot] = [10, 36, 40, 44, 46];

/** Behind two arguments to seven; -1 where there are fewer. */
function argumentsEnd(units: Units, start: number): number {
  let end = argumentEnd(units, start);
  if (end === nowhere) return nowhere;
  for (let count = 1; count < 7; count += 1) {
    const sign = behindGaps(units, end, 4);
    const next = units.at(sign) === comma ? argumentEnd(units, behindGaps(units, sign + 1, 4)) : nowhere;
    if (next === nowhere) return count === 1 ? nowhere : end;
    end = next;
  }
  return end;
}

/** A string within a line, or a word. */
function argumentEnd(units: Units, start: number): number {
  const mark = units.at(start);
  let end = start;
  if (!isQuote(mark)) {
    while (end < start + 60 && isOfArgument(units.at(end))) end += 1;
    return end === start ? nowhere : end;
  }
  end += 1;
  while (end <= start + 200 && units.at(end) !== mark && units.at(end) !== lineFeed && end < units.length)
    end += 1;
  return units.at(end) === mark ? end + 1 : nowhere;
}

const isOfArgument = (code: number): boolean => isWordUnit(code) || code === dot || code === dollar;
function hasQuote(units: Units, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) if (isQuote(units.at(at))) return true;
  return false;
}
