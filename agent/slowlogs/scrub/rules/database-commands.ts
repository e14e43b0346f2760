import type { FoundSpan } from '../span.js';
import type { Units } from '../units.js';
import { inSource, type View } from '../view.js';
import { behindBlanks, behindGaps, isBlank } from './blanks.js';
import { CommandLetters } from './command-letters.js';
import { behindOneOf, isAt } from './words-at.js';
import { isQuote } from './quotation-marks.js';

const nowhere = -1;
const hyphen = 45;
const [smallA, smallD, smallH, smallL, smallM, smallP, smallR, smallS] = [
  97, 100, 104, 108, 109, 112, 114, 115,
];
const letterAtMost = 100;

/**
 * Clients of MySQL and MariaDB, whose password follows a letter at once: `mysql -u root -ppassword`. In a text where no
 * letter stands behind a blank within its line, what looks like one begins an item of a list.
 */
export function databaseCommands(view: View, places: readonly number[]): FoundSpan[] {
  const { units } = view;
  const spans: FoundSpan[] = [];
  const letters = new CommandLetters(units, smallP, letterAtMost, wordStart);
  let taken = 0;
  for (const at of places) {
    const client = at < taken ? nowhere : databaseClientEnd(units, at);
    const start = client === nowhere ? nowhere : letters.passwordOf(client);
    if (start !== nowhere) taken = take(view, at, start, spans);
  }
  return spans.length > 0 && units.text.includes(' -p') ? spans : [];
}

export const databaseClients = ['mysql', 'mariadb'];
const mysqlEndings = ['dump', 'admin', ''];
const mariaEndings = ['-dump', ''];

function databaseClientEnd(units: Units, at: number): number {
  if (isAt(units, at, 'mysql')) return behindOneOf(units, at + 5, mysqlEndings);
  return isAt(units, at, 'mariadb') ? behindOneOf(units, at + 7, mariaEndings) : nowhere;
}

/** Clients of MongoDB and Redis, `sshpass`, and what logs in to registries, in such texts alone. */
export function otherCommands(view: View, places: readonly number[]): FoundSpan[] {
  const { units } = view;
  const spans: FoundSpan[] = [];
  const ofP = new CommandLetters(units, smallP, letterAtMost, valueStart);
  const ofA = new CommandLetters(units, smallA, letterAtMost, valueStart);
  const logins = new Logins(units, ofP);
  let taken = 0;
  for (const at of places) {
    const start = at < taken ? nowhere : valueOf(units, at, ofP, ofA, logins);
    if (start !== nowhere) taken = take(view, at, start, spans);
  }
  const isOfCommands = spans.length > 0 && (units.text.includes(' -p') || units.text.includes(' -a'));
  return isOfCommands ? spans : [];
}

export const otherClients = ['mongo', 'sshpass', 'docker', 'podman', 'helm', 'redis-cli'];
const mongoEndings = ['sh', 'dump', 'restore', ''];

function valueOf(units: Units, at: number, ofP: CommandLetters, ofA: CommandLetters, logins: Logins): number {
  switch (units.at(at)) {
    case smallM: {
      const end = isAt(units, at, 'mongo') ? behindOneOf(units, at + 5, mongoEndings) : nowhere;
      return end === nowhere ? nowhere : ofP.passwordOf(end);
    }
    case smallS:
      return isAt(units, at, 'sshpass') ? ofSshpass(units, at + 7) : nowhere;
    case smallD:
      return isAt(units, at, 'docker') ? logins.passwordOf(at + 6) : nowhere;
    case smallP:
      return isAt(units, at, 'podman') ? logins.passwordOf(at + 6) : nowhere;
    case smallH:
      return isAt(units, at, 'helm') ? logins.passwordOf(at + 4) : nowhere;
    case smallR:
      return isAt(units, at, 'redis-cli') ? ofA.passwordOf(at + 9) : nowhere;
    default:
      return nowhere;
  }
}

function ofSshpass(units: Units, end: number): number {
  const option = behindBlanks(units, end, 4);
  return option > end && isAt(units, option, '-p') ? valueStart(units, option + 2) : nowhere;
}

/** So far behind its command, in the same line, `login` stands. */
const loginAtMost = 40;

/** Where a `login` with a password comes next, and a line's end, is remembered: commands before them may be many. */
class Logins {
  #next = -1;
  #lineEnd = -1;

  constructor(
    private readonly units: Units,
    private readonly letters: CommandLetters,
  ) {}

  /** Of the command that ends at a place; places are asked for in their order. */
  passwordOf(end: number): number {
    if (!isBlank(this.units.at(end))) return nowhere;
    if (this.#next <= end) this.#next = this.#find(end + 1);
    if (this.#next > end + 1 + loginAtMost || this.#lineEndFrom(end + 1) < this.#next) return nowhere;
    return this.letters.passwordOf(this.#next + loginLength);
  }

  #find(from: number): number {
    const { units } = this;
    for (let at = from; at < units.length; at += 1)
      if (units.at(at) === smallL && isAt(units, at, 'login'))
        if (this.letters.passwordOf(at + loginLength) !== nowhere) return at;
    return Infinity;
  }

  #lineEndFrom(from: number): number {
    if (this.#lineEnd < from) {
      const end = this.units.text.indexOf('\n', from);
      this.#lineEnd = end === -1 ? Infinity : end;
    }
    return this.#lineEnd;
  }
}
const loginLength = 'login'.length;

function valueStart(units: Units, from: number): number {
  return wordStart(units, behindGaps(units, from, 4));
}

const wordAtLeast = 3;

/** Where a word begins, behind a mark where one stands, that is no option. */
function wordStart(units: Units, from: number): number {
  const start = isQuote(units.at(from)) ? from + 1 : from;
  if (units.at(start) === hyphen) return nowhere;
  return wordEnd(units, start, start + wordAtLeast) < start + wordAtLeast ? nowhere : start;
}

function wordEnd(units: Units, start: number, atMost: number): number {
  const until = Math.min(atMost, units.length);
  let end = start;
  while (end < until && !isQuote(units.at(end)) && !isBlank(units.at(end))) end += 1;
  return end;
}

/** Takes the word at a place, and gives where the search for commands goes on. */
function take(view: View, command: number, start: number, spans: FoundSpan[]): number {
  const end = Math.min(wordEnd(view.units, start, view.units.length), view.stringEnd(start));
  spans.push(inSource(view, start, end));
  return Math.max(end, command + 1);
}
