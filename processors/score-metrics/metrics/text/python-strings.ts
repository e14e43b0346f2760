import { classOf, isNotUpper, isSpace, isUnassigned, isUpper, isWord, unitsOf } from './character-classes.js';

/**
 * The string functions of Python that the reference implementations use, with Python's meaning of white space, word
 * characters and letter case. Lone surrogates are characters like any other.
 */

const beyondAscii = /[^\x00-\x7f]/;

export function isAscii(text: string): boolean {
  return !beyondAscii.test(text);
}

/** A private-use character: no letter, no space, no case. */
const neutral = '\ue000';

/**
 * Replaces characters that Unicode 14 does not know with a neutral one. To the reference they are no letters
 * and have no lower case; to a newer Node they may be letters.
 */
export function neutraliseUnassigned(text: string): string {
  if (isAscii(text)) return text;
  let known = '';
  let from = 0;
  for (let at = 0; at < text.length;) {
    const code = text.codePointAt(at) ?? 0;
    const next = at + unitsOf(code);
    if ((classOf(code) & isUnassigned) !== 0) {
      known += text.slice(from, at) + neutral;
      from = next;
    }
    at = next;
  }
  return from === 0 ? text : known + text.slice(from);
}

/** `str.split()`: runs of characters that are not white space. */
export function splitAtSpace(text: string): string[] {
  const parts: string[] = [];
  let from = -1;
  for (let at = 0; at < text.length; at += 1) {
    // All white space is in the basic plane, so UTF-16 units are enough.
    if ((classOf(text.charCodeAt(at)) & isSpace) !== 0) {
      if (from >= 0) parts.push(text.slice(from, at));
      from = -1;
    } else if (from < 0) from = at;
  }
  if (from >= 0) parts.push(text.slice(from));
  return parts;
}

/** `re.sub(r'[^\w\s]', '', part)` of a part without white space. */
export function keepWordCharacters(part: string): string {
  let kept = '';
  let from = 0;
  for (let at = 0; at < part.length;) {
    const code = part.codePointAt(at) ?? 0;
    const next = at + unitsOf(code);
    if ((classOf(code) & isWord) === 0) {
      kept += part.slice(from, at);
      from = next;
    }
    at = next;
  }
  return from === 0 ? part : kept + part.slice(from);
}

/** `str.isupper()`: at least one upper-case character, and none in lower or title case. */
export function isUpperCase(part: string): boolean {
  let upper = false;
  for (let at = 0; at < part.length;) {
    const code = part.codePointAt(at) ?? 0;
    const flags = classOf(code);
    if ((flags & isNotUpper) !== 0) return false;
    upper ||= (flags & isUpper) !== 0;
    at += unitsOf(code);
  }
  return upper;
}

/** `len(part) > 1`, in code points. */
export function isLongerThanOne(part: string): boolean {
  if (part.length !== 2) return part.length > 2;
  return (part.codePointAt(0) ?? 0) <= 0xffff;
}
