import type { FoundSpan } from '../span.js';
import type { Units } from '../units.js';
import { inSource, type View } from '../view.js';
import { behindBlanks, isBlank } from './blanks.js';
import { behindOneOf, isAt } from './words-at.js';

const [ldapCommands, sambaCommands, phrases] = [
  'search modify add delete passwd whoami',
  'client map get',
  'in out',
].map((words) => words.split(' ')) as [string[], string[], string[]];

/**
 * Commands of a shell whose passwords stand behind a letter of their own: `ldapsearch … -w password`,
 * `smbclient … -U user%password`, `openssl … -passin pass:password`. Read by hand: a text may hold little else.
 */
export function shellPasswords(view: View): FoundSpan[] {
  const { units } = view;
  const spans: FoundSpan[] = [];
  const passwords = new Passwords(units);
  for (let at = 0; at < units.length; at += 1) {
    const code = units.at(at);
    if (code !== smallL && code !== smallS && code !== hyphen) continue;
    const start = code === hyphen ? ofPhrase(units, at) : passwords.ofCommand(at);
    if (start === nowhere) continue;
    const end = Math.min(passwordEnd(units, start), view.stringEnd(start));
    spans.push(inSource(view, start, end));
    at = Math.max(end, at + 1) - 1;
  }
  return spans;
}

const nowhere = -1;
const [tab, lineBreak, space, doubleQuote, singleQuote, comma, hyphen, colon] = [
  9, 10, 32, 34, 39, 44, 45, 58,
];
const [capitalU, smallL, smallS, smallW, closingBracket, closingBrace] = [85, 108, 115, 119, 93, 125];
/** So far behind its command a letter is looked for, in the same line. */
const letterAtMost = 200;

/** Where the passwords of commands stand. Where letters and lines' ends come next is remembered: many commands may have none. */
class Passwords {
  readonly #units: Units;
  #lineEnd = -1;
  readonly #next = { ldap: -1, samba: -1 };

  constructor(units: Units) {
    this.#units = units;
  }

  /** Of the command that begins at a place. A letter at once behind it counts where no other follows. */
  ofCommand(at: number): number {
    const units = this.#units;
    const isLdap = isAt(units, at, 'ldap');
    if (!isLdap && !isAt(units, at, 'smb')) return nowhere;
    const end = isLdap ? behindOneOf(units, at + 4, ldapCommands) : behindOneOf(units, at + 3, sambaCommands);
    if (end === nowhere || !isBlank(units.at(end))) return nowhere;
    const letter = isLdap ? smallW : capitalU;
    const next = isLdap ? this.#nextLdap(end + 1) : this.#nextSamba(end + 1);
    const isNear = next <= end + 1 + letterAtMost && this.#lineEndFrom(end + 1) >= next;
    return behindLetter(units, isNear ? next : end, letter);
  }

  #nextLdap(from: number): number {
    if (from > this.#next.ldap) this.#next.ldap = nextLetter(this.#units, from, smallW);
    return this.#next.ldap;
  }

  #nextSamba(from: number): number {
    if (from > this.#next.samba) this.#next.samba = nextLetter(this.#units, from, capitalU);
    return this.#next.samba;
  }

  #lineEndFrom(from: number): number {
    if (from > this.#lineEnd) {
      const end = this.#units.text.indexOf('\n', from);
      this.#lineEnd = end === -1 ? this.#units.length : end;
    }
    return this.#lineEnd;
  }
}

function nextLetter(units: Units, from: number, letter: number): number {
  for (let at = from; at < units.length; at += 1)
    if (units.at(at + 1) === hyphen && behindLetter(units, at, letter) !== nowhere) return at;
  return Infinity;
}

/** Where the password begins behind a letter whose blank stands at a place. */
const behindLetter = (units: Units, at: number, letter: number): number =>
  units.at(at + 1) === hyphen && units.at(at + 2) === letter && isBlank(units.at(at))
    ? passwordStart(units, at + 3)
    : nowhere;

/** Behind `-passin pass:`. */
function ofPhrase(units: Units, at: number): number {
  if (!isBlank(units.at(at - 1)) || !isAt(units, at, '-pass')) return nowhere;
  const letters = behindOneOf(units, at + 5, phrases);
  const end = letters === nowhere ? at + 5 : letters;
  const word = behindBlanks(units, end, 4);
  return word > end && isAt(units, word, 'pass:') ? passwordStart(units, word + 5) : nowhere;
}

/** A password has three characters at least; what begins with a hyphen is an option, unless it stands in quotation marks. */
function passwordStart(units: Units, from: number): number {
  let at = from;
  while (at < from + 4 && (units.at(at) === space || units.at(at) === tab)) at += 1;
  const start = isQuote(units.at(at)) ? at + 1 : at;
  const isOption = units.at(start) === hyphen && !isString(units, start);
  return isOption || passwordEnd(units, start, start + 3) < start + 3 ? nowhere : start;
}

function passwordEnd(units: Units, start: number, atMost = units.length): number {
  const mark = isString(units, start) ? units.at(start - 1) : nowhere;
  const until = Math.min(atMost, units.length);
  let end = start;
  if (mark === nowhere) while (end < until && !isBlank(units.at(end)) && !isQuote(units.at(end))) end += 1;
  else while (end < until && units.at(end) !== mark && units.at(end) !== lineBreak) end += 1;
  return end;
}

/** Whether a string begins at a place, behind its mark. Where JSON goes on behind the mark, one ended there. */
function isString(units: Units, start: number): boolean {
  if (!isQuote(units.at(start - 1))) return false;
  const next = units.at(behindBlanks(units, start, units.length));
  return next !== comma && next !== colon && next !== closingBrace && next !== closingBracket;
}

const isQuote = (code: number): boolean => code === doubleQuote || code === singleQuote;
