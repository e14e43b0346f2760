import { parse } from 'tldts';
import type { PiiSpan, Recognizer } from '../entities.js';
import { changesScript, unspacedSource } from '../scripts.js';

/**
 * Suffixes that make a bare name an address. Words, file extensions and most names of members are omitted.
 */
const tellingSuffixes = new Set(
  (
    'com org net edu gov mil int biz info online website shop store tech blog cloud xyz site uk de fr es nl ru jp cn kr ' +
    'br mx ar ch dk cz gr pt ro hu ua tr il eu ie nz za sg hk tw th vn au ca fi se ir ke ng ee lt lv sk'
  ).split(' '),
);
/** Those that are also names of members: a bare name with one is code as a call's first argument. */
const memberSuffixes = new Set('info int online website shop store tech blog cloud xyz site'.split(' '));
/** What code calls the object before the dot. */
const receivers = new Set([
  'self',
  'this',
  'cls',
  'system',
  'java',
  'javax',
  'os',
  'torch',
  'logger',
  'log',
  'e',
  'asp',
]);

const longestHost = 253;
const longestPath = 2048;
const longestUserInfo = 64;
const scores = { schemed: 0.6, bare: 0.5 };

/**
 * A web address. With a scheme or `www.`, any known public suffix is enough. A bare name must have a path, a
 * suffix of several parts or one of `tellingSuffixes`, and must not look like code. The search goes outwards
 * from the dots, so its cost is linear in the text.
 */
export const url: Recognizer = {
  entity: 'URL',
  context: { supports: ['url*', 'website*', 'site', 'link*', 'domain*', 'webpage*'] },
  mayOccurIn: ({ dots }) => dots > 0,
  find,
};

interface Host {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

const hostUnit = /[\p{L}\p{N}.-]/u;
/** The answers for ASCII, which are needed at every letter before and after every dot of a text. */
const asciiHostUnits = Uint8Array.from({ length: 128 }, (_, code) =>
  Number(hostUnit.test(String.fromCharCode(code))),
);

/**
 * Where a sentence continues right after a path: at Chinese and Japanese marks, and where their script, or
 * another without spaces, follows an ASCII word. A part of a path that starts in such a script is in the
 * address.
 */
const sentenceBehind = new RegExp(
  `[\\u3001\\u3002\\u3008-\\u3011\\uff01\\uff08\\uff09\\uff0c\\uff1a\\uff1b\\uff1f]|(?<=[A-Za-z0-9])${unspacedSource}`,
  'u',
);

function find(text: string): PiiSpan[] {
  const found: PiiSpan[] = [];
  let from = 0;
  for (let dot = text.indexOf('.'); dot !== -1; dot = text.indexOf('.', from)) {
    const host = hostAround(text, dot, from);
    from = Math.max(host.end, dot + 1);
    const span = host.name.length > longestHost ? null : spanOf(text, host);
    if (span === null) continue;
    found.push(span);
    from = Math.max(from, span.end);
  }
  return found;
}

function isHostUnit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code < asciiHostUnits.length ? asciiHostUnits[code] === 1 : hostUnit.test(text.charAt(at));
}

function hostAround(text: string, dot: number, from: number): Host {
  let start = dot;
  while (start > from && isHostUnit(text, start - 1) && !changesScript(text, start)) start--;
  let end = dot + 1;
  while (end < text.length && isHostUnit(text, end) && !changesScript(text, end)) end++;
  const run = text.slice(start, end);
  const trimmed = run.replace(/^[.-]+/, '');
  start += run.length - trimmed.length;
  return { name: trimmed.replace(/[.-]+$/, ''), start, end };
}

function spanOf(text: string, host: Host): PiiSpan | null {
  const hostEnd = host.start + host.name.length;
  const before = text.slice(Math.max(0, host.start - longestUserInfo - 8), host.start);
  const scheme = /(?:https?|ftp):\/\/(?:[^\s/@]+@)?$/i.exec(before)?.[0] ?? '';
  const rest =
    /^(?::\d{1,5})?(?:[/?#][^\s<>"'`\\^{}|]*)?/.exec(text.slice(hostEnd, hostEnd + longestPath))?.[0] ?? '';
  if (scheme === '' && (!mayBegin(before) || /^[(@=[\w_]/.test(text.slice(hostEnd)))) return null;
  const tail = withoutClosing(rest.split('](', 1)[0]?.split(sentenceBehind, 1)[0] ?? '');
  const isArgument = /[\p{L}\p{N}_]\($/u.test(before);
  if (!isWebHost(host.name, { schemed: scheme !== '', hasPath: tail.includes('/'), isArgument })) return null;
  return {
    type: 'URL',
    start: host.start - scheme.length,
    end: hostEnd + tail.length,
    score: scheme === '' ? scores.bare : scores.schemed,
  };
}

/** Whether a bare name can start here: not inside a word, a path or an expression. */
function mayBegin(before: string): boolean {
  return /(?:^|[^@/\\$#_&=.\w])$/.test(before);
}

/** The characters around a name. */
interface Surroundings {
  readonly schemed: boolean;
  readonly hasPath: boolean;
  /** In the position of a call's first argument; prose, too, may lack the space before a bracket. */
  readonly isArgument: boolean;
}

function isWebHost(name: string, { schemed, hasPath, isArgument }: Surroundings): boolean {
  if (!name.includes('.') || name.includes('..')) return false;
  const { isIcann, isPrivate, domain, publicSuffix, isIp } = parse(name);
  if (isIp === true || domain === null || publicSuffix === null) return false;
  if ((isIcann !== true && isPrivate !== true) || domain === `www.${publicSuffix}`) return false;
  if (schemed || /^www\d?\./i.test(name)) return true;
  const [first = ''] = name.toLowerCase().split('.');
  if (receivers.has(first) || /^\d+$/.test(first) || !isWrittenAsSuffix(name, publicSuffix)) return false;
  if (hasPath || publicSuffix.includes('.')) return true;
  return tellingSuffixes.has(publicSuffix) && !(isArgument && memberSuffixes.has(publicSuffix));
}

/**
 * A capital after a dot starts a sentence or a name, unless the whole name is in capitals; then only a few
 * suffixes are certain.
 */
function isWrittenAsSuffix(name: string, suffix: string): boolean {
  const written = name.slice(-suffix.length);
  return written === suffix || (name === name.toUpperCase() && /^(?:COM|ORG)$/.test(written));
}

/** Without the punctuation that ends the sentence; a bracket stays if it was opened inside. */
function withoutClosing(rest: string): string {
  let tail = rest;
  for (;;) {
    const shorter = tail.replace(/[.,;:!?*_~…]+$/u, '').replace(/[)\]]$/, (bracket) => {
      const open = bracket === ')' ? '(' : '[';
      return tail.split(open).length > tail.split(bracket).length - 1 ? bracket : '';
    });
    if (shorter === tail) return tail;
    tail = shorter;
  }
}
