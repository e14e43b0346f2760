import { parse } from 'tldts';
import type { PiiSpan, Recognizer } from '../entities.js';
import { changesScript } from '../scripts.js';

/** RFC 5321, 4.5.3.1: the most characters before and after the @. */
const longestLocalPart = 64;
const longestDomain = 253;

/**
 * A local part, an @ and a host below a known public suffix. It searches outwards from each @, within a bound, so that
 * the cost is linear in the text.
 */
export const emailAddress: Recognizer = {
  entity: 'EMAIL_ADDRESS',
  context: { supports: ['email*', 'mail*', 'e'] },
  mayOccurIn: ({ ats, dots }) => ats > 0 && dots > 0,
  find,
};

function find(text: string): PiiSpan[] {
  const found: PiiSpan[] = [];
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
    const start = startOfLocalPart(text, at);
    const end = endOfDomain(text, at + 1);
    if (start < at && end > at + 1 && !isUserInfo(text, start))
      found.push({ type: 'EMAIL_ADDRESS', start, end, score: 1 });
  }
  return found;
}

/** `https://name:word@host`: the part before the @ logs in to a web address. */
function isUserInfo(text: string, start: number): boolean {
  return /:\/\/[^\s/@]*$/.test(text.slice(Math.max(0, start - longestLocalPart), start));
}

function startOfLocalPart(text: string, at: number): number {
  const from = Math.max(0, at - longestLocalPart);
  const local = /[\p{L}\p{N}_%+~&=?{|}!#$'*/^`.-]+$/u.exec(text.slice(from, at))?.[0] ?? '';
  // A character that can open a quotation, path or list belongs to the address only if something precedes it.
  const bare = lastOfOneScript(local).replace(/^[^\p{L}\p{N}_+]+/u, '');
  if (/\.\.|\.$/.test(bare)) return at;
  const scheme = /^(?:mailto:|[\p{L}\p{N}_-]+=['"]?)/iu.exec(bare)?.[0].length ?? 0;
  return at - bare.length + scheme;
}

function endOfDomain(text: string, start: number): number {
  const run = /^[\p{L}\p{N}.-]+/u.exec(text.slice(start, start + longestDomain))?.[0] ?? '';
  const host = firstOfOneScript(run).replace(/[.-]+$/, '');
  if (!host.includes('.') || host.includes('..') || /^[-.]/.test(host)) return start;
  const { isIcann, domain } = parse(host);
  return isIcann === true && domain !== null ? start + host.length : start;
}

/** The end of a run, from its last change of script: words can be written right up to an address. */
function lastOfOneScript(run: string): string {
  let start = run.length;
  while (start > 0 && !changesScript(run, start)) start--;
  return run.slice(start);
}

/** The start of a run, up to its first change of script. */
function firstOfOneScript(run: string): string {
  let end = 1;
  while (end < run.length && !changesScript(run, end)) end++;
  return run.slice(0, end);
}
