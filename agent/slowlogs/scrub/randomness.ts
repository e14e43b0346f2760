const counts = new Uint16Array(128);
const codeAt = (text: string, at: number): number => Math.min(text.charCodeAt(at), 127);

/** Bits a character, by how often each of them stands in the text (Shannon). What is no ASCII counts as one character. */
export function entropy(text: string): number {
  for (let at = 0; at < text.length; at += 1) {
    const code = codeAt(text, at);
    counts[code] = (counts[code] ?? 0) + 1;
  }
  let sum = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = codeAt(text, at);
    const count = counts[code] ?? 0;
    if (count > 1) sum += count * Math.log2(count);
    counts[code] = 0;
  }
  return text.length === 0 ? 0 : Math.log2(text.length) - sum / text.length;
}

/** Whether a text looks drawn by chance: letters and digits or cases mixed, no few of them again and again, no alphabet. */
export function looksRandom(text: string, atLeast = 16): boolean {
  if (text.length < atLeast) return false;
  const sample = text.slice(0, 256);
  if (sample.length === 36 && uuid.test(sample)) return true;
  const isMixed = /\d/.test(sample) ? /[A-Za-z]/.test(sample) : changesCaseByChance(sample);
  return isMixed && entropy(sample) >= 2.7 && !isSequence(sample);
}

/** Of two letters drawn by chance every other pair differs in its case; names of several words begin each with one. */
function changesCaseByChance(text: string): boolean {
  const changes = text.match(/[a-z](?=[A-Z])|[A-Z](?=[a-z])/g)?.length ?? 0;
  return changes >= 0.38 * (text.length - 1);
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Most characters are followed by their successors. */
function isSequence(text: string): boolean {
  let steps = 0;
  for (let at = 1; at < text.length; at += 1)
    if (text.charCodeAt(at) - text.charCodeAt(at - 1) === 1) steps += 1;
  return steps >= 0.85 * (text.length - 1);
}

/** Random, with letters and digits in turn as in no name, however many words and numbers that may hold. */
export function looksDrawn(text: string, atLeast = 16): boolean {
  const sample = text.slice(0, 256);
  const changes = sample.match(/\d(?=[A-Za-z])|[A-Za-z](?=\d)/g)?.length ?? 0;
  return (
    changes >= Math.max(3, 0.12 * (sample.length - 1)) &&
    looksRandom(text, atLeast) &&
    !/^\d{4}-\d\d/.test(text)
  );
}

/** Upper and lower case and digits, as in base 62 or base 64: few words and no hexadecimal digests do. */
export function looksEncoded(text: string): boolean {
  const sample = text.slice(0, 256);
  return (
    /[a-z]/.test(sample) &&
    /[A-Z]/.test(sample) &&
    /\d/.test(sample) &&
    entropy(sample) >= 3.4 &&
    !isSequence(sample)
  );
}

/**
 * A key of a service that has no form of its own: a UUID, a hexadecimal number, a word of base 62 or 64, or a number
 * longer than a time in milliseconds.
 */
export function looksLikeKey(text: string): boolean {
  if (/^[A-Za-z0-9]+$/.test(text))
    return looksRandom(text, 20) || looksDrawn(text, 14) || (/^\d{15,24}$/.test(text) && entropy(text) >= 2);
  if (!/^[A-Za-z0-9+/=_-]+$/.test(text)) return false;
  if (uuid.test(text) || (looksRandom(text, 20) && looksEncoded(text))) return true;
  return looksDrawn(text, 20) && !/^[a-z]{2,12}[_-]/i.test(text); // a mark of a service: it says more than its look
}
