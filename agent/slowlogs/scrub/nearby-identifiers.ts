import type { Naming } from './assignments.js';
import { remembered } from './names.js';
import { looksRandom } from './randomness.js';
import { finding, marker, type Finding } from './replacements.js';

/** Within this distance of a credential, a name or an id counts as a part of it. */
const near = 512;

const subfield = String.raw`(?:\.(?:keyword|raw|text|lower|lowercase|exact))?$`;
const userName = new RegExp(
  String.raw`(?:^|[^A-Za-z]|(?<=[a-z])(?=[A-Z]))(?:user|usr|uname|uid|login|account|principal|e?[_-]?mail)(?:[_. -]?(?:name|id|address))?${subfield}`,
  'i',
);
const idName = new RegExp(
  String.raw`(?:^|[^A-Za-z]|(?<=[a-z])(?=[A-Z]))(?:(?:app|application|client|account|tenant|project|customer|merchant|key)[_. -]?)?(?:id|sid|guid)${subfield}`,
  'i',
);
/** Ids of searched objects and of documents are not ids of an account. */
const foreign =
  /(?:trace|span|request|req|order|product|document|doc|index|node|shard|event|message|correlation|transaction|parent|category|item)[_. -]?(?:id|guid)$|^_/i;
const mailAddress = /(?<![\w.+-])[\w.+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}/g;
/** Names of variables or templates, and empty values. */
const placeholder = /^(?:[$<%{]|(?:null|none|true|false|undefined)$)/i;

/**
 * Whether a name is that of a user or of an account's id: either identifies the owner of a credential nearby.
 */
export const identifierName = remembered((name): 'user' | 'id' | null => {
  if (name.length > 200 || foreign.test(name)) return null;
  return userName.test(name) ? 'user' : idName.test(name) ? 'id' : null;
});

export function isIdentifier(value: string, says: 'user' | 'id' | null): boolean {
  if (says === null || value === '' || value.length > 200 || value.includes(marker)) return false;
  return says === 'user' ? !placeholder.test(value) : value.split(/[\s"'`,*%()[\]]+/).some(looksLikeId);
}

const looksLikeId = (text: string): boolean =>
  /^[A-Za-z0-9_.@-]{8,80}$/.test(text) && /\d/.test(text) && !/^\d{4}-\d\d-\d\d/.test(text);

/** Users and ids that a text assigns to their names. */
export const identifiers: Naming = {
  rule: 'identifier beside a credential',
  role: 'nearby',
  says: (name) => (identifierName(name) === null ? 'none' : 'strong'),
  accept: (value, _, name, isAtEnd) =>
    isIdentifier(value, identifierName(name)) || (isAtEnd && /(?:^|["'])[A-Za-z0-9_.@-]{6,80}$/.test(value)),
};

/** `User Id=…` of connection strings. */
const userId = /(?<=\b(?:user|login|account)\s(?:id|name)\s?[=:]\s?)[^;,\s"']{2,100}/gi;

export const mailAddresses = (text: string): readonly Finding[] =>
  Array.from([...text.matchAll(mailAddress), ...text.matchAll(userId)], ({ 0: address, index }) =>
    finding(identifiers.rule, index, index + address.length, 'nearby'),
  );

const follower = /[\s\\"'`|,;:)=]{1,12}([A-Za-z0-9+/=_~.-]{16,512})(?![A-Za-z0-9+/=_~.-])/y;

/** Words that look random right after credentials: more of a list, or something that is used with one. */
export const followers = (text: string, found: readonly Finding[]): readonly Finding[] =>
  found.flatMap(({ end }) => {
    follower.lastIndex = end;
    const word = follower.exec(text)?.[1] ?? '';
    const start = follower.lastIndex - word.length;
    return looksRandom(word) ? [finding('random word behind a credential', start, start + word.length)] : [];
  });

/** The findings that stay: identifiers only if a credential is near. */
export function withoutFar(findings: readonly Finding[]): readonly Finding[] {
  const [nearby, others] = [
    findings.filter(({ role }) => role === 'nearby'),
    findings.filter(({ role }) => role !== 'nearby'),
  ];
  if (nearby.length === 0) return others;
  const anchors = others.filter(({ role }) => role === 'credential').sort((a, b) => a.start - b.start);
  let next = 0;
  const beside = nearby
    .sort((a, b) => a.start - b.start)
    .filter(({ start, end }) => {
      while ((anchors[next]?.end ?? Infinity) + near < start) next += 1;
      return (anchors[next]?.start ?? Infinity) - near <= end;
    });
  return [...others, ...beside];
}
