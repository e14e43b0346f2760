import type { FoundSpan } from '../span.js';
import type { Units } from '../units.js';
import { inSource, type View } from '../view.js';
import { skip } from './reading.js';
import { Alphabet } from './runs.js';
import { behindOneOf, isAt } from './words-at.js';

const nowhere = -1;
const [quotationMark, apostrophe, opening, slash, six, colon, atSign] = [34, 39, 40, 47, 54, 58, 64];
const [smallC, smallP, smallS, smallT, smallU] = [99, 112, 115, 116, 117];
const ofLogins = Alphabet.of('[^\\s"\'`<>]');
const ofHosts = Alphabet.of('[\\w.-]');
/** What may stand before a user, glued to it: `dsn=`. */
const beforeUsers = Alphabet.of('[=,;(|\\[]');
const loginAtMost = 300;
const hostAtMost = 100;

/** How a server of Go's driver begins behind the sign before it, but for `tcp(`, and how one of Oracle's may. */
const protocols = ['udp(', 'unix(', 'pipe(', 'cloudsql('];
const descriptions = ['(DESCRIPTION', '(description'];
const oraclePort = ':1521';

/**
 * Users with their passwords in addresses of drivers that have no scheme: `user:password@tcp(host)/db` of Go's driver for
 * MySQL, `user/password@//host/service` of Oracle's Easy Connect, which is also known by its port.
 */
export function driverUsers(view: View): FoundSpan[] {
  const { units } = view;
  const spans: FoundSpan[] = [];
  const first = units.text.indexOf('@');
  if (first === -1) return spans;
  let behind = 0;
  for (let at = first; at < units.length; at += 1) {
    if (units.at(at) !== atSign) continue;
    const sign = signBefore(units, at + 1);
    if (sign === nowhere) continue;
    const start = loginStart(units, at, sign, behind);
    if (start !== nowhere) spans.push(inSource(view, start, Math.min(at, view.stringEnd(start))));
    behind = at + 1;
  }
  return spans;
}

/** What parts a user from the password before a server that begins at a place, -1 where none does. */
function signBefore(units: Units, server: number): number {
  const sign = signOf(units, server);
  if (sign !== nowhere) return sign;
  const end = skip(units, ofHosts, server, hostAtMost);
  return end > server && units.at(end) === colon && isAt(units, end, oraclePort) ? slash : nowhere;
}

function signOf(units: Units, server: number): number {
  switch (units.at(server)) {
    case slash:
      return units.at(server + 1) === slash ? slash : nowhere;
    case opening:
      return behindOneOf(units, server, descriptions) === nowhere ? nowhere : slash;
    case smallT:
      return isAt(units, server, 'tcp') ? signBehindTcp(units, server + 3) : nowhere;
    case smallU:
    case smallP:
    case smallC:
      return behindOneOf(units, server, protocols) === nowhere ? nowhere : colon;
    default:
      return nowhere;
  }
}

/** `tcp(` and `tcp6(`, `tcp://` and `tcps://` */
function signBehindTcp(units: Units, at: number): number {
  if (units.at(at) === opening || (units.at(at) === six && units.at(at + 1) === opening)) return colon;
  return isAt(units, units.at(at) === smallS ? at + 1 : at, '://') ? slash : nowhere;
}

/** Where the user begins whose password ends at a place; -1 where there is none from another place on. */
function loginStart(units: Units, end: number, sign: number, from: number): number {
  const quoted = quotedFrom(units, end, sign);
  const until = quoted === nowhere ? end : quoted;
  const least = Math.max(from, end - loginAtMost);
  let start = until;
  while (start > least && ofLogins.has(units.at(start - 1))) start -= 1;
  /** A scheme, a path or nothing stands before the sign: the user comes behind it. */
  let isPassed = false;
  for (let at = start; at < until && at < end - 1; at += 1) {
    const code = units.at(at);
    if (code === sign && !isPassed && at > start && !isScheme(units, at)) return start;
    if (code === sign) isPassed = true;
    if (beforeUsers.has(code) || (code === slash && sign === colon)) {
      start = at + 1;
      isPassed = false;
    }
  }
  return nowhere;
}

/** Whether the sign at a place is the colon of `://` or the slash behind it. */
const isScheme = (units: Units, at: number): boolean =>
  units.at(at) === colon ? units.at(at + 1) === slash : units.at(at - 1) === colon;

/** Where a password in marks begins, behind the sign before it: `scott/"a b"`. */
function quotedFrom(units: Units, end: number, sign: number): number {
  const mark = units.at(end - 1);
  if (mark !== quotationMark && mark !== apostrophe) return nowhere;
  const least = Math.max(0, end - loginAtMost);
  for (let at = end - 2; at > least; at -= 1)
    if (units.at(at) === mark) return units.at(at - 1) === sign ? at : nowhere;
  return nowhere;
}
