import { startsWord } from './letter-trie.js';
import { looksRandom } from './randomness.js';
import { inOrder, merged } from './replacements.js';
import { matchesOf } from './rules/matches.js';
import { marker, type FoundSpan, type Span } from './span.js';
import type { View } from './view.js';

/** So far from a credential a name or an id is still taken for a part of it. */
const near = 512;

/**
 * What a credential is used with, beside it: whose it is (a name of a user, an e-mail address, the id of an account) and
 * the random words right behind it. None of them is looked for where no credential stands. Credentials are of the source.
 */
export function companions(view: View, credentials: readonly FoundSpan[]): readonly Span[] {
  const separate = merged(inOrder(credentials));
  if (separate.length === 0) return [];
  const owners = inOrder([
    ...matchesOf(view, user, (match) => isName(match) && !isPlaceholder(match.groups?.['secret'] ?? '')),
    ...matchesOf(view, id, (match) => isName(match) && looksLikeId(match.groups?.['secret'] ?? '')),
    ...matchesOf(view, mailAddress),
  ]);
  return [...beside(owners, separate), ...followers(view.source, separate)];
}

/** A value, quoted or not, behind the name that it belongs to. */
const assigned = String.raw`["'\])]{0,3}(?:\s{0,4}(?:=>|:=|[=:])\s{0,4}|>|[ \t]value[ \t]?=)["'\x60]?`;
const value = String.raw`(?<secret>(?<=")[^"\n]{1,200}|(?<=')[^'\n]{1,200}|[^\s"'\x60,;&<>(){}[\]]{1,200})`;

const user = new RegExp(
  String.raw`(?:user|usr|uname|uid|login|account|principal|e?-?mail)(?:[_. -]?(?:name|id|address))?${assigned}${value}`,
  'gi',
);
const id = new RegExp(
  String.raw`(?:(?:app|application|client|account|tenant|project|customer|merchant|key)[_ -]?)?(?:id|sid|guid)${assigned}${value}`,
  'gi',
);
/** Ids of what is searched for, and those of documents, are no ids of an account. */
const foreign =
  /(?:trace|span|request|req|order|product|document|doc|index|node|shard|event|message|correlation|transaction|parent|category|item)[_. -]?$|(?:^|[^a-z0-9])_$/i;

const mailAddress = /(?<![\w.+-])[\w.+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}/g;

function isName({ input, index }: RegExpExecArray): boolean {
  return (
    startsWord(input, 0, index, input.length) && !foreign.test(input.slice(Math.max(0, index - 16), index))
  );
}

/** What a variable or a template is named, and what stands for nothing. */
const isPlaceholder = (text: string): boolean =>
  /^(?:[$<%{]|null$|none$|true$|false$|undefined$)/i.test(text) || text.startsWith(marker);

const looksLikeId = (text: string): boolean =>
  /^[A-Za-z0-9_.@-]{8,80}$/.test(text) && /\d/.test(text) && !/^\d{4}-\d\d-\d\d/.test(text);

/** Those that stand near enough to one of some others. Both are in order. */
function beside(candidates: readonly FoundSpan[], credentials: readonly FoundSpan[]): Span[] {
  let next = 0;
  return candidates.filter(({ start, end }) => {
    while ((credentials[next]?.end ?? Infinity) + near < start) next += 1;
    return (credentials[next]?.start ?? Infinity) - near <= end;
  });
}

const follower = /[\s\\"'`|,;:)=]{1,12}([A-Za-z0-9+/=_~.-]{16,512})(?![A-Za-z0-9+/=_~.-])/y;

/** Words that look random right behind credentials: a list of them, or what is used with one. */
function followers(source: string, credentials: readonly FoundSpan[]): Span[] {
  return credentials.flatMap(({ end }) => {
    follower.lastIndex = end;
    const word = follower.exec(source)?.[1] ?? '';
    return looksRandom(word) ? [{ start: follower.lastIndex - word.length, end: follower.lastIndex }] : [];
  });
}
