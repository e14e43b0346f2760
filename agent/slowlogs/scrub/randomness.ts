/** Only this much of a text is examined. */
const sampled = 256;
const counts = new Uint16Array(128);

/** Bits per character (Shannon), of the first 256; all non-ASCII characters count as one. */
export function entropy(text: string): number {
  const length = Math.min(text.length, sampled);
  if (length === 0) return 0;
  counts.fill(0);
  for (let at = 0; at < length; at += 1) {
    const code = Math.min(text.charCodeAt(at), 127);
    counts[code] = (counts[code] ?? 0) + 1;
  }
  let sum = 0;
  for (const count of counts) if (count > 1) sum += count * Math.log2(count);
  return Math.log2(length) - sum / length;
}

/** The thresholds above which a text looks random: bits per character, and shares of its character pairs. */
const randomEntropy = 2.7;
const encodedEntropy = 3.4;
const numberEntropy = 2;
const caseChangesAtLeast = 0.38;
const turnsAtLeast = 0.12;
const successorsAtMost = 0.85;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const countOf = (text: string, pairs: RegExp): number => text.match(pairs)?.length ?? 0;

/** Mixes letters with digits, or the two cases; is more than a few repeated characters, and no alphabet. */
export function looksRandom(text: string, atLeast = 16): boolean {
  if (text.length < atLeast) return false;
  if (uuid.test(text)) return true;
  const sample = text.slice(0, sampled);
  const isMixed = /\d/.test(sample) ? /[A-Za-z]/.test(sample) : changesCaseByChance(sample);
  return isMixed && entropy(sample) >= randomEntropy && !isSequence(sample);
}

/**
 * In random letters every other pair differs in its case; in names of several words only the first letter of each does.
 */
const changesCaseByChance = (text: string): boolean =>
  countOf(text, /[a-z](?=[A-Z])|[A-Z](?=[a-z])/g) >= caseChangesAtLeast * (text.length - 1);

/** Most characters are followed by their successors. */
function isSequence(text: string): boolean {
  let steps = 0;
  for (let at = 1; at < text.length; at += 1)
    if (text.charCodeAt(at) - text.charCodeAt(at - 1) === 1) steps += 1;
  return steps >= successorsAtMost * (text.length - 1);
}

/** Looks random, and letters and digits alternate as in no name, whatever words and numbers that has. */
export function looksDrawn(text: string, atLeast = 16): boolean {
  if (text.length < atLeast || /^\d{4}-\d\d/.test(text)) return false;
  const sample = text.slice(0, sampled);
  const turns = countOf(sample, /\d(?=[A-Za-z])|[A-Za-z](?=\d)/g);
  return turns >= Math.max(3, turnsAtLeast * (sample.length - 1)) && looksRandom(text, atLeast);
}

/**
 * Upper and lower case and digits, as in base 62 or base 64: few words and no hexadecimal digests have all of these.
 */
export const looksEncoded = (text: string): boolean =>
  /[a-z]/.test(text) &&
  /[A-Z]/.test(text) &&
  /\d/.test(text) &&
  entropy(text) >= encodedEntropy &&
  !isSequence(text.slice(0, sampled));

/** ISO 8601, and the path of a file, which an object store calls a key. */
const noKey =
  /^\d{4}-\d\d-\d\d(?:[T ][\d:.,]{2,20}(?:Z|[+-][\d:]{2,5})?)?$|^(?:[\w@=-][\w.@=-]{0,79}\/){1,20}[\w.@=-]{1,200}\.[a-z][a-z0-9]{1,9}$/;

/** What a value must look like under a name that might be a credential's. */
export const mayBeCredential = (text: string): boolean =>
  !noKey.test(text) && (looksRandom(text) || (/^[A-Za-z0-9+/=-]{12,}$/.test(text) && looksEncoded(text)));

/**
 * A key of a service that has no form of its own: a UUID, a hexadecimal number, a word of base 62 or 64, or a number
 * longer than a time in milliseconds.
 */
export function looksLikeKey(text: string): boolean {
  if (/^[0-9a-f]{8}:[0-9a-f]{8}$/.test(text)) return true; // Sidekiq, Bundler
  if (!/^[A-Za-z0-9+/=_-]+$/.test(text)) return false;
  if (/^\d+$/.test(text)) return text.length >= 15 && text.length <= 24 && entropy(text) >= numberEntropy;
  if (/^[A-Za-z0-9]+$/.test(text)) return looksRandom(text, 20) || looksDrawn(text, 14);
  if (uuid.test(text) || (text.length >= 20 && looksEncoded(text))) return true;
  return looksDrawn(text, 20) && !/^[a-z]{2,12}[_-]/i.test(text); // the mark of a service says more than its look
}
