import type { FoundSpan } from '../span.js';
import type { Units } from '../units.js';
import { inSource, type View } from '../view.js';
import { behindBlanks, isBlank } from './blanks.js';
import { skip } from './reading.js';
import { Alphabet, Runs } from './runs.js';
import { isAt, isWordUnit } from './words-at.js';

const nowhere = -1;
const [lineFeed, opening, closing, hyphen, slash, colon, atSign, underscore] = [
  10, 40, 41, 45, 47, 58, 64, 95,
];
const [capitalB, smallJ, smallS] = [66, 106, 115];

const ofUser = Alphabet.of('[^\\s/"\'@]');
const ofPassword = Alphabet.of('[^\\s"\'@]');

/** `jdbc:oracle:thin:user/password@host`, and `sqlplus user/password@host`. */
export function oracleUsers(view: View): FoundSpan[] {
  const { units } = view;
  const spans: FoundSpan[] = [];
  if (!units.text.includes('jdbc:oracle:') && !units.text.includes('sqlplus')) return spans;
  const runs = new Runs(units);
  for (let at = 0; at < units.length; at += 1) {
    const code = units.at(at);
    if (code !== smallJ && code !== smallS) continue;
    const start = code === smallJ ? behindDriver(units, at) : behindCommand(units, at);
    const found = start === nowhere ? nowhere : oracleEnd(units, start, runs);
    if (found === nowhere) continue;
    const end = Math.min(found, view.stringEnd(start));
    spans.push(inSource(view, start, end));
    at = Math.max(end < found ? end : found + 1, at + 1) - 1; // the sign behind is of the match
  }
  return spans;
}

function behindDriver(units: Units, at: number): number {
  if (!isAt(units, at, 'jdbc:oracle:')) return nowhere;
  const from = at + 12;
  let end = from;
  while (end < from + 6 && units.at(end) >= 97 && units.at(end) <= 122) end += 1;
  return end > from + 1 && units.at(end) === colon ? end + 1 : nowhere;
}

/** Behind `sqlplus` and an option of it. */
function behindCommand(units: Units, at: number): number {
  if (!isAt(units, at, 'sqlplus')) return nowhere;
  const start = behindBlanks(units, at + 7, 4);
  if (start === at + 7) return nowhere;
  let end = start + 1;
  while (end < start + 4 && isWordUnit(units.at(end))) end += 1;
  const isOption = units.at(start) === hyphen && end > start + 1 && isBlank(units.at(end));
  return isOption ? behindBlanks(units, end, 4) : start;
}

/** Where `user/password` ends before an `@`, -1 where it does not. */
function oracleEnd(units: Units, start: number, runs: Runs): number {
  const user = runs.endOf(ofUser, start);
  if (units.at(user) !== slash || user === start || user > start + 100) return nowhere;
  const end = runs.endOf(ofPassword, user + 1);
  if (units.at(end) !== atSign || end === user + 1 || end > user + 201) return nowhere;
  for (let at = start; at < end; at += 1) if (isBlank(units.at(at))) return nowhere;
  return end;
}

/** ADSI: OpenDSObject(path, user, password, flags). */
export function directoryUsers(view: View): FoundSpan[] {
  const { units } = view;
  const spans: FoundSpan[] = [];
  for (let at = units.text.indexOf(call); at !== nowhere; at = units.text.indexOf(call, at)) {
    const sign = behindBlanks(units, at + call.length, 4);
    const start = sign + 1;
    at += call.length;
    if (units.at(sign) !== opening || argumentsEnd(units, start, start + 1) === start) continue;
    const end = argumentsEnd(units, start, Math.min(start + 1_000, view.stringEnd(start)));
    spans.push(inSource(view, start, end));
    at = Math.max(end, at);
  }
  return spans;
}
const call = 'OpenDSObject';

function argumentsEnd(units: Units, start: number, atMost: number): number {
  const until = Math.min(atMost, units.length);
  let end = start;
  while (end < until && units.at(end) !== lineFeed && units.at(end) !== closing) end += 1;
  return end;
}

/** Bundler's credentials for a host of gems: BUNDLE_GEMS__EXAMPLE__COM=user:password. */
export function bundlerCredentials(view: View): FoundSpan[] {
  const { units } = view;
  const spans: FoundSpan[] = [];
  if (!units.text.includes('BUNDLE_')) return spans;
  for (let at = 0; at < units.length; at += 1) {
    if (units.at(at) !== capitalB || isWordUnit(units.at(at - 1)) || !isAt(units, at, 'BUNDLE_')) continue;
    const name = hostEnd(units, at + 7);
    if (name === nowhere) continue;
    bundled.lastIndex = name;
    const match = bundled.exec(units.text);
    if (match === null) continue;
    const start = bundled.lastIndex - (match[1] ?? '').length;
    const end = Math.min(bundled.lastIndex, view.stringEnd(start));
    spans.push(inSource(view, start, end));
    at = Math.max(end, at + 1) - 1;
  }
  return spans;
}
/** Behind the host. */
const bundled = /["']?\s{0,4}[:= ]\s{0,4}["']?([^\s"':]{1,100}:[^\s"']{1,200})/y;

/** Where a host's name ends, whose last dot is two underscores, up to 40 characters before it. */
function hostEnd(units: Units, start: number): number {
  const end = skip(units, ofHosts, start, 80 + 2 + 41);
  const first = Math.max(start + 1, end - 42);
  const last = Math.min(start + 80, end - 3);
  for (let at = first; at <= last; at += 1)
    if (units.at(at) === underscore && units.at(at + 1) === underscore) return end;
  return nowhere;
}
const ofHosts = Alphabet.of('[A-Z0-9_]');

/** Accounts of Cloudant, which its hosts are named after. */
export function cloudantAccounts(view: View): FoundSpan[] {
  const { units } = view;
  const spans: FoundSpan[] = [];
  for (let at = units.text.indexOf(host); at !== nowhere; at = units.text.indexOf(host, at + 1)) {
    let from = at;
    while (from >= at - 80 && ofAccounts.has(units.at(from - 1))) from -= 1;
    if (from === at || from < at - 80 || !isAt(units, from - 3, '://')) continue;
    spans.push(inSource(view, from, Math.min(at, view.stringEnd(from))));
  }
  return spans;
}
const host = '.cloudant.com';
const ofAccounts = Alphabet.of('[\\w-]');
