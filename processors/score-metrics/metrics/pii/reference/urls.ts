import { getCountries } from 'libphonenumber-js/max';
import type { PiiSpan } from '../entities.js';

/** The suffixes of the reference's fixed list: the generic ones, then the countries. The first that fits counts. */
const generic =
  'com edu gov int mil net onl org pro red tel uno xxx academy info biz name mobi travel jobs cat aero asia';
const withoutCountryCalls = ['an', 'aq', 'bv', 'eu', 'gs', 'hm', 'nf', 'pn', 'su', 'tf', 'tp', 'uk', 'um'];
const suffixes = [
  ...generic.split(' '),
  ...getCountries().map((code) => code.toLowerCase()),
  ...withoutCountryCalls,
];

const hosts = /(?<![a-z0-9.-])[a-z0-9.-]+/gi;
const scheme = /(?:https?|ftp):\/\/$/i;
const path = /^(?::\d{1,5})?(?:\/[^\s()<>"']*)?/;

/**
 * Web addresses as the reference's expression finds them: up to the last dot before a known suffix, even if
 * the word continues. So `model.fit`, and two sentences without a space between them, are addresses too.
 */
export function referenceUrls(text: string): PiiSpan[] {
  const found: PiiSpan[] = [];
  let from = 0;
  for (const match of text.matchAll(hosts)) {
    if (match.index < from) continue;
    const host = upToSuffix(match[0]);
    if (host === null) continue;
    const hostEnd = match.index + host.length;
    const schemed = scheme.exec(text.slice(Math.max(0, match.index - 8), match.index))?.[0].length ?? 0;
    const end = hostEnd + (path.exec(text.slice(hostEnd, hostEnd + 2048))?.[0].length ?? 0);
    found.push({ type: 'URL', start: match.index - schemed, end, score: schemed > 0 ? 0.6 : 0.5 });
    from = end;
  }
  return found;
}

function upToSuffix(run: string): string | null {
  const lower = run.toLowerCase();
  for (let dot = lower.lastIndexOf('.'); dot > 0; dot = lower.lastIndexOf('.', dot - 1)) {
    const suffix = suffixes.find((candidate) => lower.startsWith(candidate, dot + 1));
    if (suffix !== undefined) return run.slice(0, dot + 1 + suffix.length);
  }
  return null;
}
