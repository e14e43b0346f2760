import { credentialName } from '../credential-keys.js';
import { looksEncoded, looksLikeKey, looksRandom } from '../randomness.js';
import { namesVendor } from '../vendors.js';
import { inSource, marker, type FoundSpan, type Rule } from '../view.js';

/**
 * Credentials that a text names: `password=…` of a query string or a connection string, `token: '…'` of prose, code or
 * a query in Lucene's syntax, `api_key => …`, `["secret"] = …`, `<password>…</password>`, `--token …`.
 */
export const assignments: Rule = {
  name: 'assignments',
  find(view) {
    const { plain, cutOff } = view;
    const found: FoundSpan[] = [];
    const names = /[A-Za-z][\w.-]{0,120}/g;
    for (let match = names.exec(plain); match !== null; match = names.exec(plain)) {
      const name = nameBefore(plain, match.index, match[0]);
      const value = valueNamed(plain, match.index + match[0].length, name, match[0], cutOff);
      if (value === null) continue;
      found.push(inSource(view, value.start, value.end));
      names.lastIndex = value.end;
    }
    return found;
  },
};

const operator =
  /["'`\])]{0,3}(?:\.(?:value|values|keyword|get\(0\))){0,2}(?:\.(?:equals|equalsIgnoreCase|contains|startsWith|endsWith|matches)\((?=["'`])|(?<=\.(?:equals|equalsIgnoreCase|contains|startsWith|endsWith|matches))\((?=["'`])|[ \t]{1,8}(?:[nN][oO][tT][ \t]{1,4})?(?:[rRiI]?[lL][iI][kK][eE]|[iI][nN])[ \t]{0,4}\(?[ \t]{0,4}(?=["'`])|[ \t]{0,8}(?:[:=?!]{1,4}>?|->|\|\|:?|,?[ \t]value[ \t]?=)\s{0,20}|[ \t]{1,4}(?:-|is|was)?[ \t]{0,4}(?=["'`])|>(?=[^\s<])|(?<=(?:^|[ \t\n"'`([{])--?[\w.-]{1,120})[ \t]{1,4}(?=[^\s-]))/y;
const quick = new Set('"\'`])>:=?!-|, \t.(');

/** A name of several words, `API key`, is put together where its last word says little. */
function nameBefore(plain: string, at: number, word: string): string {
  if (word.length > 8 || !/^(?:keys?|id|phrase|string|codes?|url|login)$/i.test(word)) return word;
  const before = /([A-Za-z]{2,20})[ \t]{1,2}$/.exec(plain.slice(Math.max(0, at - 24), at))?.[1] ?? '';
  return `${before} ${word}`;
}

interface Found {
  readonly start: number;
  readonly end: number;
}

function valueNamed(plain: string, at: number, name: string, word: string, cutOff: boolean): Found | null {
  if (!quick.has(plain[at] ?? '')) return null;
  const says = credentialName(name);
  if (says === 'none' && !namesVendor(name)) return null;
  operator.lastIndex = at;
  const behind = operator.exec(plain);
  if (behind === null) return null;
  const start = at + behind[0].length;
  if (says === 'strong' && /\bin[ \t]*\([ \t]*$/i.test(behind[0])) return listed(plain, start);
  const value = valueFrom(plain, start, {
    wholeLine: says === 'strong' && takesTheLine(word),
    newLine: behind[0].includes('\n'),
    json: plain[at] === '"' && plain[at - word.length - 1] === '"' && /^"\s*:\s*$/.test(behind[0]),
  });
  if (value === null) return null;
  const text = plain.slice(value.start, value.end);
  if (says === 'strong') return value;
  const wasCut = cutOff && value.end === plain.length && text.length >= 6;
  return wasCut || (says === 'weak' ? mayBeCredential(text) : looksLikeKey(text)) ? value : null;
}

const mayBeCredential = (text: string): boolean =>
  looksRandom(text) || (/^[A-Za-z0-9+/=-]{12,}$/.test(text) && looksEncoded(text));

interface Surroundings {
  readonly wholeLine: boolean;
  /** The value would stand on the next line. */
  readonly newLine: boolean;
  /** Name and colon stand as in JSON, whose values without quotation marks are the matter of another rule. */
  readonly json: boolean;
}

/** Headers and phrases hold blanks. */
const takesTheLine = (word: string): boolean =>
  /(?:authorization|authentication|cookie|phrase|mnemonic|auth)$/i.test(word);

/** What may open a quoted value, with the prefix that some languages put before it. */
const quoted = /[bBuUrRfF@$]?("""|'''|["'`])/y;
const restOfLine = /[^\n\r"'`<>]{1,8192}/y;
const bareValue = /(?:(?:basic|bearer|token|apikey|digest|negotiate)\s+)?[^\s"'`&<>]{1,8192}/iy;

function valueFrom(plain: string, start: number, around: Surroundings): Found | null {
  const isScrubbed =
    plain.startsWith(marker, start) && /^(?:[^\w-]|$)/.test(plain.slice(start + marker.length));
  if (isScrubbed) return null;
  quoted.lastIndex = start;
  const opening = quoted.exec(plain);
  if (opening !== null) return quotedValue(plain, start + opening[0].length, opening[1] ?? '"');
  if (around.newLine || around.json) return null;
  const first = plain[start];
  if (first === '{' || first === '[') return bracketed(plain, start);
  const bare = around.wholeLine ? restOfLine : bareValue;
  bare.lastIndex = start;
  const text = bare.exec(plain)?.[0].replace(/[\s)\]},;.]+$/, '') ?? '';
  return text === '' ? null : { start, end: start + text.length };
}

/** Up to the same mark. A mark right behind the operator may end a string of JSON: then no value follows. */
function quotedValue(plain: string, start: number, mark: string): Found | null {
  const close = plain.indexOf(mark, start);
  const end = close === -1 ? plain.length : close;
  if (end === start || /^\s*[,:}\]]/.test(plain.slice(start, start + 20))) return null;
  return { start, end };
}

/** `IN ('a', 'b')`: all of them. */
function listed(plain: string, start: number): Found {
  const close = /["'`]\s{0,20}\)/g;
  close.lastIndex = start + 1;
  const end = close.exec(plain)?.index;
  return { start: start + 1, end: end ?? plain.length };
}

function bracketed(plain: string, start: number): Found {
  const bracket = /[{}[\]]/g;
  bracket.lastIndex = start;
  let open = 0;
  for (let match = bracket.exec(plain); match !== null; match = bracket.exec(plain)) {
    open += match[0] === '{' || match[0] === '[' ? 1 : -1;
    if (open === 0) return { start: start + 1, end: match.index };
  }
  return { start: start + 1, end: plain.length };
}
