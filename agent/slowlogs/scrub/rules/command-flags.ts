import { isLetter } from '../letter-trie.js';
import type { Units } from '../units.js';
import { nameEnd } from './names.js';
import { Alphabet } from './runs.js';

const hyphen = 45;

/** Whether what stands between two places, of at most 120 characters, is a flag and no more: `-p`, `--api.key`. */
export function isFlag(units: Units, from: number, to: number): boolean {
  if (units.at(from) !== hyphen) return false;
  const name = units.at(from + 1) === hyphen ? from + 2 : from + 1;
  return name < to && isLetter(units.at(name)) && nameEnd(units, name) === to;
}

const [smallA, smallP, smallU, capitalU] = [97, 112, 117, 85];

/** A name of a user follows, and a colon and a password may. */
export function isUserFlag(units: Units, from: number, to: number): boolean {
  if (to - from === 2) {
    const letter = units.at(from + 1);
    return units.at(from) === hyphen && (letter === smallU || letter === capitalU);
  }
  return is(units, from, to, '--user') || is(units, from, to, '--proxy-user');
}

/** Of commands that take a password behind it. */
export function isPasswordFlag(units: Units, from: number, to: number): boolean {
  const letter = units.at(from + 1);
  return to - from === 2 && units.at(from) === hyphen && (letter === smallP || letter === smallA);
}

const is = (units: Units, from: number, to: number, flag: string): boolean =>
  to - from === flag.length && units.text.startsWith(flag, from);

/** Commands that take a password behind `-p` or `-a`; others take ports and paths there. */
const command =
  /(?:[^\s"'`]{0,60}\/)?(?:mysql|mysqldump|mysqladmin|mariadb|mariadb-dump|mongo|mongosh|mongodump|mongorestore|sshpass|redis-cli)(?=["'`])/y;
const shortest = 'mysql'.length;
const longestName = 'mongorestore'.length;
const longest = 60 + '/'.length + longestName;
/** With what their names begin and end: most words are told by it. */
const firstLetters = Alphabet.of('[mrs]');
const lastLetters = Alphabet.of('[behilnops]');
const slash = 47;

/** Whether what stands between two quotation marks is such a command. */
export function takesPasswords(units: Units, from: number, to: number): boolean {
  if (to - from < shortest || to - from > longest || !lastLetters.has(units.at(to - 1))) return false;
  if (!firstLetters.has(units.at(from)) && !hasPath(units, from, to)) return false;
  command.lastIndex = from;
  return command.test(units.text);
}

/** Whether a path stands before its last word, which is no longer than the name of such a command. */
function hasPath(units: Units, from: number, to: number): boolean {
  const until = Math.max(from, to - longestName - 1);
  let at = to - shortest - 1;
  while (at >= until && units.at(at) !== slash) at -= 1;
  return at >= until && firstLetters.has(units.at(at + 1));
}
