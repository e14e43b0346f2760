import { readName, startsWord } from './name-letters.js';
import { leavesNamed } from './named-leaves.js';
import { looksRandom } from './randomness.js';
import { inOrder, merged } from './replacements.js';
import { Values } from './rules/assigned-values.js';
import { matchesOf } from './rules/matches.js';
import { nameEnd, nextName } from './rules/names.js';
import { Operators } from './rules/operators.js';
import { NextMark } from './rules/reading.js';
import { turned } from './rules/turned-comparisons.js';
import { marker, spanOf, type FoundSpan, type Span } from './span.js';
import { inSource, type View } from './view.js';

/** So far from a credential a name or an id is still taken for a part of it. */
const near = 512;
/** No name of a user, and no id, is longer. */
const valueAtMost = 200;

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
    ...assignedTo(view, separate),
    ...turned(view, companionNameIn, (start, end, says) => isCompanion(view.plain.slice(start, end), says)),
    ...leavesNamed(
      view,
      (start, end) => end > start && end - start <= valueAtMost,
      companionNameIn,
      ({ start, end }, says) => isCompanion(view.source.slice(start, end), says, end === view.source.length),
    ),
  ]);
  return [...beside(owners, separate), ...followers(view.source, separate)];
}

/** A value, quoted or not, behind the name that it belongs to. */
const assigned = String.raw`["'\])]{0,3}(?:\s{0,4}(?:=>|:=|[=:])\s{0,4}|>|[ \t]value[ \t]?=)["'\x60]?`;
const value = String.raw`(?<secret>(?<=")[^"\n]{1,200}|(?<=')[^'\n]{1,200}|[^\s"'\x60,;&<>(){}[\]]{1,200})`;

const userName = String.raw`(?:user|usr|uname|uid|login|account|principal|e?[_-]?mail)(?:[_. -]?(?:name|id|address))?`;
const idName = String.raw`(?:(?:app|application|client|account|tenant|project|customer|merchant|key)[_. -]?)?(?:id|sid|guid)`;
/** Fields of a text have others for each way to search it. */
const subfield = String.raw`(?:\.(?:keyword|raw|text|lower|lowercase|exact))?`;

const user = new RegExp(`${userName}${subfield}${assigned}${value}`, 'gi');
const id = new RegExp(`${idName}${subfield}${assigned}${value}`, 'gi');
const endsAsUser = new RegExp(`${userName}${subfield}$`, 'i');
const endsAsId = new RegExp(`${idName}${subfield}$`, 'i');
/** Ids of what is searched for, and those of documents, are no ids of an account. */
const foreign =
  /(?:trace|span|request|req|order|product|document|doc|index|node|shard|event|message|correlation|transaction|parent|category|item)[_. -]?$|(?:^|[^a-z0-9])_$/i;

const foreignAtMost = 16;

const mailAddress = /(?<![\w.+-])[\w.+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}/g;

/** What a whole name says of what stands under it. */
function companionName(name: string): 'user' | 'id' | null {
  const asUser = endsAsUser.exec(name);
  if (asUser !== null && isName(asUser)) return 'user';
  const asId = endsAsId.exec(name);
  return asId !== null && isName(asId) ? 'id' : null;
}

const companionNameIn = (text: string, from: number, to: number): 'user' | 'id' | null =>
  companionName(text.slice(from, to));

/** An id that the text's end cuts off may have lost what makes it look like one. */
const isCompanion = (text: string, says: 'user' | 'id', mayBeCut = false): boolean =>
  says === 'user'
    ? !isPlaceholder(text)
    : text.split(/[\s"'`,*%()[\]]+/).some(looksLikeId) || (mayBeCut && /[A-Za-z0-9_.@-]{6,80}$/.test(text));

/** What queries and programs assign to such names, near enough to credentials. */
function assignedTo(view: View, credentials: readonly FoundSpan[]): readonly FoundSpan[] {
  const { units } = view;
  const found: FoundSpan[] = [];
  const nextMark = new NextMark(units);
  const operators = new Operators(units, nextMark);
  const values = new Values(view, nextMark);
  let next = 0;
  /** Groups and blocks may hold each other: within a long one that is nothing, none is read again. */
  let structuresFrom = 0;
  for (let at = nextName(units, 0); at !== -1;) {
    const end = nameEnd(units, at);
    let behind = end;
    const index = view.sourceIndex(at);
    while ((credentials[next]?.end ?? Infinity) + near < index) next += 1;
    const isNear = (credentials[next]?.start ?? Infinity) - near <= index;
    const says = isNear ? companionName(units.text.slice(Math.max(0, at - foreignAtMost), end)) : null;
    const operator = says === null || !operators.mayFollow(at, end) ? null : operators.at(at, end);
    const structures = operator !== null && operator.start >= structuresFrom;
    const value = operator === null ? null : values.at(operator, { wholeLine: false, structures });
    if (
      value !== null &&
      says !== null &&
      isCompanion(units.text.slice(value.start, value.end), says, value.end === units.length)
    ) {
      behind = Math.min(value.end, view.stringEnd(value.start));
      found.push(inSource(view, value.start, behind));
    } else if (value !== null && value.end - value.start > valueAtMost) structuresFrom = value.end;
    at = nextName(units, behind);
  }
  return found;
}

function isName({ input, index }: RegExpExecArray): boolean {
  const from = Math.max(0, index - 1);
  const length = readName(input, from, Math.min(input.length, index + 2));
  return (
    startsWord(index - from, length) && !foreign.test(input.slice(Math.max(0, index - foreignAtMost), index))
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
    return looksRandom(word) ? [spanOf(follower.lastIndex - word.length, follower.lastIndex)] : [];
  });
}
