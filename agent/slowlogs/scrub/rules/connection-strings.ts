import type { FoundSpan } from '../span.js';
import { inSource, type Rule, type View } from '../view.js';
import { matchesOf } from './matches.js';

/** `jdbc:oracle:thin:user/password@host`, and `sqlplus user/password@host`. */
const oracle =
  /(?:jdbc:oracle:[a-z]{2,6}:|sqlplus\s{1,4}(?:-\w{1,3}\s{1,4})?)(?<secret>[^\s/"'@]{1,100}\/[^\s"'@]{1,200})@/g;
/** ADSI: OpenDSObject(path, user, password, flags). */
const directory = /OpenDSObject\s{0,4}\((?<secret>[^\n)]{1,1000})/g;
/** Bundler's credentials for a host of gems: BUNDLE_GEMS__EXAMPLE__COM=user:password. */
const bundler =
  /(?<![A-Za-z0-9_])BUNDLE_[A-Z0-9_]{1,80}__[A-Z0-9_]{1,40}["']?\s{0,4}[:= ]\s{0,4}["']?(?<secret>[^\s"':]{1,100}:[^\s"']{1,200})/g;
/** Accounts of Cloudant, which its hosts are named after. */
const cloudant = /(?<=:\/\/)[\w-]{1,80}(?=\.cloudant\.com)/g;
/** Account keys of Azure Storage and its like: 64 bytes in base64. So long are digests as well, which say what they are. */
const accountKey = /(?<![A-Za-z0-9+/]|\bsha512[-:= ])[A-Za-z0-9+/]{86}==/g;

export const connectionStrings: Rule = {
  name: 'connection-strings',
  find: (view) => [
    ...userInfos(view),
    ...matchesOf(view, oracle),
    ...matchesOf(view, directory),
    ...matchesOf(view, bundler),
    ...matchesOf(view, cloudant),
    ...matchesOf(view, accountKey),
  ],
};

/** An address goes on to the next blank or quotation mark: it may hold others, in a query or a list of hosts. Expressions leave the s of `https?` open. */
const address = /(?<=[A-Za-z][A-Za-z0-9+.-]{0,40}\??:\/\/)[^\s"'`<>\\]{1,4096}/g;
const port = /:\d{1,5}(?:[/?#,]|$)/y;

/** Each address within another is read as far as the next, so that every letter is read twice at most. */
function userInfos(view: View): FoundSpan[] {
  const spans: FoundSpan[] = [];
  const add = (text: string, index: number): void => {
    const found = userInfo(view, text, index);
    if (found !== null) spans.push(found);
  };
  for (const { 0: text, index } of view.plain.matchAll(address)) {
    add(text, index);
    for (let at = text.indexOf('://'); at !== -1;) {
      const next = text.indexOf('://', at + 3);
      add(text.slice(at + 3, next === -1 ? text.length : next), index + at + 3);
      at = next;
    }
  }
  return spans;
}

/**
 * `user:password@` of addresses of any scheme (RFC 3986, 3.2.1). A password that should have been escaped and was not may
 * hold `/`, `?`, `#` and `@`: it goes on to the last `@` of the text, unless a port stands where it would begin.
 */
function userInfo(view: View, text: string, index: number): FoundSpan | null {
  const colon = text.indexOf(':');
  const slash = text.search(/[/?#]/);
  if (colon === -1 || (slash !== -1 && slash < colon)) return null;
  port.lastIndex = colon;
  const isPort = port.test(text);
  const host = slash === -1 ? text : text.slice(0, slash);
  const at = isPort ? host.lastIndexOf('@') : lastAt(text, host);
  if (at > colon) return inSource(view, index, index + at);
  const isCutOff = at === -1 && index + text.length === view.plain.length;
  return isCutOff && !isPort && slash === -1 && colon < text.length - 1
    ? inSource(view, index, view.plain.length)
    : null;
}

/** The `@` that ends the user's part; one in a path or a query counts only where the authority has none. */
function lastAt(text: string, host: string): number {
  const own = host.lastIndexOf('@');
  return own === -1 ? text.lastIndexOf('@') : own;
}
