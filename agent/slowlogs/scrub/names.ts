import {
  commonHolders,
  doubtfulEndings,
  doubtfulWords,
  endings,
  harmlessNames,
  lastWords,
  noVendorKey,
  ofCommonHolders,
  ofCredentials,
  qualifiers,
  vendorKey,
  vendors,
} from './name-tables.js';
import { looksLikeKey, mayBeCredential } from './randomness.js';

export type Says =
  /** Every value under it is a credential. */
  | 'strong'
  /** A value under it is a credential if it looks random. */
  | 'weak'
  /** It names a service: a value under it is a credential if it looks like a key. */
  | 'vendor'
  | 'none';

/** Longer names are not read. */
const longest = 200;
const knownAtMost = 5_000;

/** A function that remembers its results. */
export function remembered<T>(say: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    let said = known.get(text);
    if (said === undefined) {
      said = say(text);
      if (known.size >= knownAtMost) known.clear();
      known.set(text, said);
    }
    return said;
  };
}

const knownName = remembered(read);

/** What the name of a field, a variable or a parameter says about its value. */
export const credentialName = (name: string): Says =>
  name.length < 2 || name.length > longest ? 'none' : knownName(name);

/** Whether a value is a credential, given what its name says. */
export function isCredential(value: string, says: Says, name: string): boolean {
  if (says === 'none') return false;
  if (says === 'strong') return !isCount(value, name) && !saysNothing.test(value);
  const bare = value.replace(wildcards, '');
  if (bare.length < 12) return false;
  if (says === 'weak') return mayBeCredential(bare);
  return looksLikeKey(bare) && !(/^\d+$/.test(bare) && numbersSomething.test(name));
}

/**
 * Language models count tokens: a short number under `tokens`, or an expression that computes one, is no credential.
 */
export const isCount = (value: string, name: string): boolean =>
  /(?:^|[^A-Za-z])tokens$/i.test(name) && count.test(value);
const count = /^-?\d{1,7}(?:\.\d{1,9})?$|^[A-Z_]{3,16}\([\w.*, ]{0,80}\)?$|^params\.\w{1,40}$/;
/** Booleans, a sort's place for missing values, and Windows' ids of users and groups, `S-1-5-18`. */
export const saysNothing = /^(?:true|false|null|_first|_last|S-1-\d{1,2}(?:-[\d*?]{1,10}){0,15}\*?|)$/;

/** Wildcards at the ends of a searched value. */
const wildcards = /^[*%^]{1,2}|\.?[*%?$]$/g;
/** Names such as `github_run_id` number something: a number under them is no key. */
const numbersSomething = /(?:[^A-Za-z]id|Id|ID)$/;

const otherScripts = /(?:парол[ья]|密[码碼]|口令|パスワード|비밀번호)$/iu;
const strongEnd = new RegExp(`(?:${endings.join('|')})$`);
const doubtfulEnd = new RegExp(`(?:${doubtfulEndings.join('|')})$`);
const vendorStart = new RegExp(`^(?:${vendors.join('|')})`);

/** A name that asks whether there is a credential, `has_api_key`: its value is a boolean, a number or a date. */
const asks =
  /(?:^|\.)(?:has|had|is|was|needs|requires)(?:[_-]|(?=[A-Z]))[^.]*(?:\.(?:value|keyword|raw|text))?$/;

/** Words of a name, and the part of its path (`a.b.c`) that each is in. */
interface Word {
  readonly text: string;
  readonly part: number;
}

const wordForm = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g;

function wordsOf(name: string): readonly Word[] {
  const plain = name.normalize('NFKD').replace(/[\u0300-\u036f]/g, '');
  return plain
    .split('.')
    .flatMap((text, part) =>
      (text.match(wordForm) ?? []).map((word) => ({ text: word.toLowerCase(), part })),
    );
}

function read(name: string): Says {
  const bare = name.replace(/[*^]+[\d.]*$/, '');
  if (otherScripts.test(bare)) return 'strong';
  const words = wordsOf(bare);
  const meant = words.slice(0, endOfMeaning(words));
  const says = saidBy(meant);
  if (says === 'harmless') return 'none';
  if (says === 'strong' || isHeld(words, meant)) return asks.test(bare) ? 'weak' : 'strong';
  return says === 'none' && isVendor(words, meant) ? 'vendor' : says;
}

/** The end of the words that carry meaning: only qualifiers and numbers follow. */
function endOfMeaning(words: readonly Word[]): number {
  let end = words.length;
  while (end > 1 && saidBy(words.slice(0, end)) === 'none') {
    const last = words[end - 1]?.text ?? '';
    if (!qualifiers.has(last) && !/^\d+$/.test(last)) return end;
    end -= 1;
  }
  return end;
}

/** What the last words of a name say. */
function saidBy(words: readonly Word[]): Says | 'harmless' {
  let joined = '';
  let says: Says = 'none';
  for (let at = words.length - 1; at >= Math.max(0, words.length - 5); at -= 1) {
    joined = (words[at]?.text ?? '') + joined;
    if (harmlessNames.has(joined)) return 'harmless';
    if (lastWords.has(joined)) says = 'strong';
    else if (says === 'none' && (doubtfulWords.has(joined) || doubtfulEnd.test(joined))) says = 'weak';
  }
  return strongEnd.test(joined) ? 'strong' : says;
}

/**
 * Whether a part of the path before the last names a credential, `credentials.github`, and the last part does
 * not rule that out.
 */
function isHeld(words: readonly Word[], meant: readonly Word[]): boolean {
  const lastPart = meant.at(-1)?.part ?? 0;
  const firstPart = words[0]?.part ?? 0;
  if (lastPart === firstPart || ofCredentials.has(meant.at(-1)?.text ?? '')) return false;
  for (let part = firstPart; part < lastPart; part += 1) {
    const upTo = words.filter((word) => word.part <= part);
    const held = upTo.slice(0, endOfMeaning(upTo));
    const isCommon = commonHolders.has(held.at(-1)?.text ?? '');
    const isAlone = part === firstPart && held.length === upTo.length;
    const counts = !isCommon || (isAlone && !ofCommonHolders.has(meant.at(-1)?.text ?? ''));
    if (saidBy(held) === 'strong' && held.at(-1)?.part === part && counts) return true;
  }
  return false;
}

/**
 * Whether a name contains that of a service, and names a key: a path that only begins with a service,
 * `aws.cloudtrail.event_id`, is about what the service logs.
 */
function isVendor(words: readonly Word[], meant: readonly Word[]): boolean {
  const [last, lastMeant] = [words.at(-1)?.text ?? '', meant.at(-1)?.text ?? ''];
  if (noVendorKey.has(last) || noVendorKey.has(lastMeant)) return false;
  const vendorAt = (at: number): boolean =>
    vendorStart.test(
      meant
        .slice(at, at + 4)
        .map(({ text }) => text)
        .join(''),
    );
  const lastPart = meant.at(-1)?.part ?? 0;
  const named = meant.flatMap(({ part }, at) => (vendorAt(at) ? [part] : []));
  return named.includes(lastPart) || (named.length > 0 && vendorKey.has(lastMeant));
}
