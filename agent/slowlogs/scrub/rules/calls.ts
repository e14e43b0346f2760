import type { FoundSpan } from '../span.js';
import type { Rule, View } from '../view.js';
import { loginLines } from './login-lines.js';
import { pgpassLines } from './pgpass-lines.js';
import { logins } from './logins.js';
import { secureStrings } from './secure-strings.js';
import { shellPasswords } from './shell-passwords.js';

/** Commands whose passwords stand among other words: all of their line goes. */
const lineCommands =
  /(?<![A-Za-z])(?:(?<netUse>net\s{1,4}use)|(?<netUser>net1?(?:\.exe)?\s{1,4}user\s{1,4}[^\s/]\S{0,60})|htpasswd(?:\s{1,4}-\w{1,8}){0,4}?\s{1,4}-\w{0,8}b\w{0,8})\s/g;
const userOption = /(?:\/|%2F)u(?:ser)?(?::|%3A)/i;
/** A password that is no word of prose, or options behind it. */
const passwordOfUser =
  /^\s{0,4}[^\s/*|&"'](?:[A-Za-z]*[^A-Za-z\s,.][^\s]*\s*$|.*\s\/(?:add|active|domain|expires|y)\b)/i;

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
    if (takesPassword(found, source.slice(start, end))) spans.push({ start, end });
    while (lineCommands.lastIndex < plain.length && view.sourceIndex(lineCommands.lastIndex) < end)
      lineCommands.lastIndex += 1;
  }
  return spans;
}

function takesPassword({ groups }: RegExpExecArray, rest: string): boolean {
  if (groups?.['netUse'] !== undefined) return userOption.test(rest);
  return groups?.['netUser'] === undefined || passwordOfUser.test(rest);
}

export const calls: Rule = {
  name: 'calls',
  find: (view) =>
    logins(view).concat(
      shellPasswords(view),
      secureStrings(view),
      wholeLines(view),
      loginLines(view),
      pgpassLines(view),
    ),
};
