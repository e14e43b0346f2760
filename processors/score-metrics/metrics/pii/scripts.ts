/** Scripts that are written without spaces, or that put endings right after a foreign word. */
const unspaced = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}]/u;
const letterOrDigit = /[\p{L}\p{N}]/u;
const lastAscii = 0x7f;

/** The source of an expression for a character of such a script, used to build other expressions. */
export const unspacedSource = unspaced.source;

/**
 * Whether a word ends before this unit because its script does: between `com` and a Chinese character, for
 * example. A name that is wholly in one script stays whole, and a dot or a hyphen separates nothing.
 */
export function changesScript(text: string, at: number): boolean {
  // Nearly all units are ASCII here: no expression is needed.
  if (text.charCodeAt(at - 1) <= lastAscii && text.charCodeAt(at) <= lastAscii) return false;
  const [before, behind] = [text.charAt(at - 1), text.charAt(at)];
  if (!letterOrDigit.test(before) || !letterOrDigit.test(behind)) return false;
  return unspaced.test(before) !== unspaced.test(behind);
}
