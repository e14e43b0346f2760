/** No more of a text is looked at. */
const sampled = 256;
const counts = new Uint16Array(128);
const distinct = new Uint8Array(128);
/** A count times its logarithm: the logarithm costs more than all the rest. */
const weights = Float64Array.from(
  { length: sampled + 1 },
  (_, count) => count * Math.log2(Math.max(count, 1)),
);

/**
 * Bits a character, by how often each of them stands in a text (Shannon), of which the first 256 characters count. What
 * is no ASCII counts as one character.
 */
export function entropy(text: string, from = 0, to = text.length): number {
  const end = Math.min(to, from + sampled);
  let different = 0;
  for (let at = from; at < end; at += 1) {
    const code = Math.min(text.charCodeAt(at), 127);
    const count = counts[code] ?? 0;
    if (count === 0) {
      distinct[different] = code;
      different += 1;
    }
    counts[code] = count + 1;
  }
  let sum = 0;
  for (let place = 0; place < different; place += 1) {
    const code = distinct[place] ?? 0;
    sum += weights[counts[code] ?? 0] ?? 0;
    counts[code] = 0;
  }
  return end <= from ? 0 : Math.log2(end - from) - sum / (end - from);
}

const [small, capital, digit] = [1, 2, 4];
const letter = small | capital;
const kinds = new Uint8Array(128);
for (let code = 0; code < 128; code += 1) {
  const unit = String.fromCharCode(code);
  kinds[code] = /[a-z]/.test(unit) ? small : /[A-Z]/.test(unit) ? capital : /\d/.test(unit) ? digit : 0;
}
const kindAt = (text: string, at: number): number => kinds[Math.min(text.charCodeAt(at), 127)] ?? 0;

/** Whether small letters, capitals, digits stand in a text. Read by hand, as all here: it is asked of every long word. */
function kindsIn(text: string): number {
  let found = 0;
  for (let at = 0; at < text.length; at += 1) found |= kindAt(text, at);
  return found;
}

/** How often a character is followed by one of the other of two kinds. */
function changesIn(text: string, one: number, other: number): number {
  let changes = 0;
  let before = 0;
  for (let at = 0; at < text.length; at += 1) {
    const kind = kindAt(text, at);
    if ((before & one && kind & other) || (before & other && kind & one)) changes += 1;
    before = kind;
  }
  return changes;
}

/** Whether a text looks drawn by chance: letters and digits or cases mixed, no few of them again and again, no alphabet. */
export function looksRandom(text: string, atLeast = 16): boolean {
  if (text.length < atLeast) return false;
  const sample = text.slice(0, sampled);
  if (sample.length === 36 && uuid.test(sample)) return true;
  const found = kindsIn(sample);
  const isMixed = found & digit ? (found & letter) !== 0 : changesCaseByChance(sample);
  return isMixed && entropy(sample) >= 2.7 && !isSequence(sample);
}

/** Of two letters drawn by chance every other pair differs in its case; names of several words begin each with one. */
const changesCaseByChance = (text: string): boolean =>
  changesIn(text, small, capital) >= 0.38 * (text.length - 1);

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
  const sample = text.slice(0, sampled);
  return (
    changesIn(sample, digit, letter) >= Math.max(3, 0.12 * (sample.length - 1)) &&
    looksRandom(text, atLeast) &&
    !/^\d{4}-\d\d/.test(text)
  );
}

/** Upper and lower case and digits, as in base 62 or base 64: few words and no hexadecimal digests do. */
export function looksEncoded(text: string): boolean {
  const sample = text.slice(0, sampled);
  return kindsIn(sample) === (letter | digit) && entropy(sample) >= 3.4 && !isSequence(sample);
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
