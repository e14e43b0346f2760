import { isOfWord } from '../letter-trie.js';
import type { FoundSpan } from '../span.js';
import type { Units } from '../units.js';
import { inSource, type View } from '../view.js';
import { isAt, isWordUnit } from './words-at.js';

/** 64 bytes in base64. */
const digits = 86;

/**
 * Account keys of Azure Storage and its like: 64 bytes in base64, read from its padding. So long are digests as well,
 * which say what they are.
 */
export function accountKeys(view: View): FoundSpan[] {
  const { units } = view;
  const spans: FoundSpan[] = [];
  for (let at = units.text.indexOf('=='); at !== -1 && at < units.length; at += 1) {
    if (units.at(at) !== equals || units.at(at + 1) !== equals) continue;
    const start = runStart(units, at);
    if (at - start !== digits || isDigest(units, start)) continue;
    spans.push(inSource(view, start, Math.min(at + 2, view.stringEnd(start))));
  }
  return spans;
}

const [plus, hyphen, slash, colon, equals, blank] = [43, 45, 47, 58, 61, 32];

/** Of digits of base64, of which no more than one too many are passed over. */
function runStart(units: Units, end: number): number {
  let at = end;
  while (at >= end - digits && isOfBase64(units.at(at - 1))) at -= 1;
  return at;
}

const isOfBase64 = (code: number): boolean => isOfWord(code) || code === plus || code === slash;

/** Behind `sha512` and a sign. */
function isDigest(units: Units, start: number): boolean {
  const sign = units.at(start - 1);
  const isSign = sign === hyphen || sign === colon || sign === equals || sign === blank;
  return isSign && isAt(units, start - 7, 'sha512') && !isWordUnit(units.at(start - 8));
}
