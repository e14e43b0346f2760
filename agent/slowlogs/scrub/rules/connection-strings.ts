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

/**
 * `user:password@` of addresses of any scheme (RFC 3986, 3.2.1). A password that should have been escaped and was not may
 * hold `/`, `?`, `#` and `@`: it goes on to the last `@` before a blank or a quotation mark, unless a port stands where it would begin.
 */
function userInfos(view: View): FoundSpan[] {
  const { plain } = view;
  const spans: FoundSpan[] = [];
  const authority = /(?<=[A-Za-z][A-Za-z0-9+.-]{0,40}:\/\/)[^\s"'`<>\\]{1,4096}/g;
  for (const { 0: text, index } of plain.matchAll(authority)) {
    const colon = text.indexOf(':');
    const slash = text.search(/[/?#]/);
    if (colon === -1 || (slash !== -1 && slash < colon)) continue;
    const isPort = /^:\d{1,5}(?:[/?#,]|$)/.test(text.slice(colon, colon + 7));
    const host = slash === -1 ? text : text.slice(0, slash);
    const at = isPort ? host.lastIndexOf('@') : lastAt(text, host);
    if (at > colon) spans.push(inSource(view, index, index + at));
    else if (
      at === -1 &&
      index + text.length === plain.length &&
      !isPort &&
      slash === -1 &&
      colon < text.length - 1
    ) {
      spans.push(inSource(view, index, plain.length)); // cut off before its `@`
    }
  }
  return spans;
}

/** The `@` that ends the user's part; one in a path or a query counts only where the authority has none. */
function lastAt(text: string, host: string): number {
  const own = host.lastIndexOf('@');
  return own === -1 ? text.lastIndexOf('@') : own;
}
