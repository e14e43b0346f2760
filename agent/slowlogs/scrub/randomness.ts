import type { Units } from './units.js';

/** No more of a text is looked at. */
export const sampled = 256;
const counts = new Uint16Array(128);
const distinct = new Uint8Array(128);
/** A count times its logarithm: the logarithm costs more than all the rest. */
export const weights = Float64Array.from(
  { length: sampled + 1 },
  (_, count) => count * Math.log2(Math.max(count, 1)),
);

/**
 * The units of the text that was read last, as far as they are looked at. Several questions are asked of each text: a
 * string would find out of what kind it is for every unit of every one.
 */
const sample = new Uint16Array(sampled);
let sampleLength = 0;

function readText(text: string, from: number, to: number): void {
  sampleLength = Math.min(to - from, sampled);
  for (let at = 0; at < sampleLength; at += 1) sample[at] = text.charCodeAt(from + at);
}

function readUnits(units: Units, from: number, to: number): void {
  sampleLength = Math.min(to - from, sampled);
  for (let at = 0; at < sampleLength; at += 1) sample[at] = units.at(from + at);
}

/**
 * Bits a character, by how often each of them stands in a text (Shannon), of which the first 256 characters count. What
 * is no ASCII counts as one character.
 */
export function entropy(text: string, from = 0, to = text.length): number {
  readText(text, from, to);
  return entropyOfSample();
}

function entropyOfSample(): number {
  let different = 0;
  for (let at = 0; at < sampleLength; at += 1) {
    const read = sample[at] ?? 0;
    const code = read < 127 ? read : 127;
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
  return sampleLength <= 0 ? 0 : Math.log2(sampleLength) - sum / sampleLength;
}

/** Of what a text must have so much to look drawn by chance, or so little. */
export const bounds = {
  /** Bits a character. */
  randomEntropy: 2.7,
  encodedEntropy: 3.4,
  numberEntropy: 2,
  /** Shares of the pairs of characters. */
  caseChanges: 0.38,
  turns: 0.12,
  successors: 0.85,
  fewestTurns: 3,
} as const;

export const [small, capital, digit, otherOfWord] = [1, 2, 4, 8];
const letter = small | capital;
const ofWord = letter | digit;
const kinds = new Uint8Array(128);
for (let code = 0; code < 128; code += 1) {
  const unit = String.fromCharCode(code);
  kinds[code] = /[a-z]/.test(unit)
    ? small
    : /[A-Z]/.test(unit)
      ? capital
      : /\d/.test(unit)
        ? digit
        : /[+/=_-]/.test(unit)
          ? otherOfWord
          : 0;
}
export const kindOf = (code: number): number => (code < 128 ? (kinds[code] ?? 0) : 0);

/** Whether small letters, capitals, digits stand in the sample. Read by hand, as all here: it is asked of every long word. */
function kindsOfSample(): number {
  let found = 0;
  for (let at = 0; at < sampleLength; at += 1) found |= kindOf(sample[at] ?? 0);
  return found & ofWord;
}

/** How often a character of the sample is followed by one of the other of two kinds. */
function changesOf(one: number, other: number): number {
  let changes = 0;
  let before = 0;
  for (let at = 0; at < sampleLength; at += 1) {
    const kind = kindOf(sample[at] ?? 0);
    if ((before & one && kind & other) || (before & other && kind & one)) changes += 1;
    before = kind;
  }
  return changes;
}

/** Whether a text looks drawn by chance: letters and digits or cases mixed, no few of them again and again, no alphabet. */
export function looksRandom(text: string, atLeast = 16): boolean {
  if (text.length < atLeast) return false;
  readText(text, 0, text.length);
  return isRandom(text.length);
}

/** The same of a word in a text that is read by its units. */
export function looksRandomIn(units: Units, from: number, to: number, atLeast = 16): boolean {
  if (to - from < atLeast) return false;
  readUnits(units, from, to);
  return isRandom(to - from);
}

/** Of the sample of a text of such a length. */
function isRandom(length: number): boolean {
  if (length === uuidLength && isUuidSample()) return true;
  const found = kindsOfSample();
  const isMixed = found & digit ? (found & letter) !== 0 : changesCaseByChance();
  return isMixed && entropyOfSample() >= bounds.randomEntropy && !isSequence();
}

/** Of two letters drawn by chance every other pair differs in its case; names of several words begin each with one. */
const changesCaseByChance = (): boolean =>
  changesOf(small, capital) >= bounds.caseChanges * (sampleLength - 1);

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const uuidLength = 36;
const hyphen = 45;
export const isUuid = (text: string): boolean => text.length === uuidLength && uuid.test(text);

/** Of the sample: few of so many characters have the first hyphen. */
const isUuidSample = (): boolean =>
  sample[8] === hyphen && uuid.test(String.fromCharCode(...sample.subarray(0, uuidLength)));

/** Most characters are followed by their successors. */
function isSequence(): boolean {
  let steps = 0;
  for (let at = 1; at < sampleLength; at += 1)
    if ((sample[at] ?? 0) - (sample[at - 1] ?? 0) === 1) steps += 1;
  return steps >= bounds.successors * (sampleLength - 1);
}

/** Random, with letters and digits in turn as in no name, however many words and numbers that may hold. */
export function looksDrawn(text: string, atLeast = 16): boolean {
  readText(text, 0, text.length);
  return isDrawn(text.length, atLeast);
}

/** The same of a word in a text that is read by its units. */
export function looksDrawnIn(units: Units, from: number, to: number, atLeast = 16): boolean {
  readUnits(units, from, to);
  return isDrawn(to - from, atLeast);
}

function isDrawn(length: number, atLeast: number): boolean {
  const turns = Math.max(bounds.fewestTurns, bounds.turns * (sampleLength - 1));
  return length >= atLeast && changesOf(digit, letter) >= turns && !isDate() && isRandom(length);
}

/** Whether the sample begins with a year and a month: `2026-11`. */
function isDate(): boolean {
  for (let at = 0; at < 7; at += 1) {
    const code = sample[at] ?? 0;
    if (at === 4 ? code !== hyphen : kindOf(code) !== digit) return false;
  }
  return sampleLength >= 7;
}

/**
 * Upper and lower case and digits, as in base 62 or base 64: few words and no hexadecimal digests do. What does looks
 * random too.
 */
export function looksEncoded(text: string, from = 0, to = text.length): boolean {
  readText(text, from, to);
  return kindsOfSample() === ofWord && entropyOfSample() >= bounds.encodedEntropy && !isSequence();
}

/** All kinds of characters of a text; 0 where one is neither of base 64 nor of a name, or where there is none. */
function kindsOfKey(text: string): number {
  let found = 0;
  for (let at = 0; at < text.length; at += 1) {
    const kind = kindOf(text.charCodeAt(at));
    if (kind === 0) return 0;
    found |= kind;
  }
  return found;
}

/**
 * A key of a service that has no form of its own: a UUID, a hexadecimal number, a word of base 62 or 64, or a number
 * longer than a time in milliseconds.
 */
export function looksLikeKey(text: string): boolean {
  const found = kindsOfKey(text);
  if (found === 0) return false;
  if (found === digit) return text.length >= 15 && text.length <= 24 && entropy(text) >= bounds.numberEntropy;
  if ((found & otherOfWord) === 0) return looksRandom(text, 20) || looksDrawn(text, 14);
  if (isUuid(text) || (text.length >= 20 && looksEncoded(text))) return true;
  return looksDrawn(text, 20) && !/^[a-z]{2,12}[_-]/i.test(text); // a mark of a service: it says more than its look
}
