import type { FoundSpan } from '../span.js';
import type { Units } from '../units.js';
import { inSource, type View } from '../view.js';
import { behindBlanks, behindGaps, isBlank } from './blanks.js';
import { CommandLetters } from './command-letters.js';
import { behindOneOf, isAt } from './words-at.js';
import { isQuote } from './quotation-marks.js';

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
  const ldap = new CommandLetters(units, smallW, letterAtMost, passwordStart);
  const samba = new CommandLetters(units, capitalU, letterAtMost, passwordStart);
  for (let at = 0; at < units.length; at += 1) {
    const code = units.at(at);
    if (code !== smallL && code !== smallS && code !== hyphen) continue;
    const start =
      code === hyphen
        ? ofPhrase(units, at)
        : code === smallL
          ? ofCommand(units, at, 'ldap', ldapCommands, ldap)
          : ofCommand(units, at, 'smb', sambaCommands, samba);
    if (start === nowhere) continue;
    const end = Math.min(passwordEnd(units, start), view.stringEnd(start));
    spans.push(inSource(view, start, end));
    at = Math.max(end, at + 1) - 1;
  }
  return spans;
}

const nowhere = -1;
const [lineBreak, comma, hyphen, colon] = [10, 44, 45, 58];
const [capitalU, smallL, smallS, smallW, closingBracket, closingBrace] = [85, 108, 115, 119, 93, 125];
/** So far behind its command a letter is looked for. */
const letterAtMost = 200;

function ofCommand(
  units: Units,
  at: number,
  name: string,
  endings: readonly string[],
  letters: CommandLetters,
): number {
  const end = isAt(units, at, name) ? behindOneOf(units, at + name.length, endings) : nowhere;
  return end === nowhere ? nowhere : letters.passwordOf(end);
}

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
  const at = behindGaps(units, from, 4);
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
