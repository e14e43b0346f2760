import { credentialName } from '../credential-keys.js';
import { looksRandom } from '../randomness.js';
import type { FoundSpan } from '../span.js';
import { inSource, type Rule, type View } from '../view.js';
import { quotedValue } from './quoted-values.js';

/**
 * Names and values that are neighbours in a list: a flag of a command and its argument, `["mysql","--password","…"]`, and
 * pairs of a list of headers, `[["X-Api-Key","…"]]`.
 */
export const argumentLists: Rule = {
  name: 'argument-lists',
  find: (view) => (view.plain.includes(',') ? pairsIn(view) : []),
};

/** One of a list, with another behind it. */
const element = /(?<mark>["'`])(?<text>[^"'`\n]{1,120})\k<mark>\s{0,20},\s{0,20}(?=["'`])/g;
const flag = /^--?[A-Za-z][\w.-]*$/;
const userFlag = /^(?:-u|-U|--user|--proxy-user)$/;
/** Commands that take a password behind `-p` or `-a`; others take ports and paths there. */
const command =
  /^(?:\S{0,60}\/)?(?:mysql|mysqldump|mysqladmin|mariadb|mariadb-dump|mongo|mongosh|mongodump|mongorestore|sshpass|redis-cli)$/;
const passwordFlag = /^-[pa]$/;
const placeholder = /^(?:\$|<|\{\{|%|\[redacted)/;

function pairsIn(view: View): FoundSpan[] {
  const { plain } = view;
  const spans: FoundSpan[] = [];
  let behind = -1;
  let inCommand = false;
  element.lastIndex = 0;
  for (let found = element.exec(plain); found !== null; found = element.exec(plain)) {
    const name = found.groups?.['text'] ?? '';
    const at = element.lastIndex;
    inCommand = command.test(name) || (inCommand && found.index === behind);
    behind = at;
    const isUser = userFlag.test(name);
    const isCredential = credentialName(name) === 'strong';
    if (!isUser && !isCredential && !(inCommand && passwordFlag.test(name))) continue;
    const span = quotedValue(plain, at + 1, plain[at] ?? '"');
    if (span === null) continue;
    const end = Math.min(span.end, view.stringEnd(span.start));
    const value = plain.slice(span.start, end);
    if (placeholder.test(value)) continue;
    const isArgument = isUser ? value.includes(':') : flag.test(name) && !value.startsWith('-');
    if (isArgument || (isCredential && isPair(plain, found.index, value, end)))
      spans.push(inSource(view, span.start, end));
  }
  return spans;
}

const listBegins = /\[\s{0,8}$/;
const innerListBegins = /(?:\[|\],)\s{0,8}\[\s{0,8}$/;
const beginningAtMost = 20;
const listEnds = /["'`]\s{0,8}\]/y;

/**
 * Whether a name is the first of a list and a value its second and last. Of a list that stands in no other both may be
 * names of fields: the value must look drawn.
 */
function isPair(plain: string, nameMark: number, value: string, end: number): boolean {
  const before = plain.slice(Math.max(0, nameMark - beginningAtMost), nameMark);
  listEnds.lastIndex = end;
  return (
    listBegins.test(before) && listEnds.test(plain) && (innerListBegins.test(before) || looksRandom(value, 8))
  );
}
