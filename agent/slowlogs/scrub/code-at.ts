/**
 * The UTF-16 unit at a place of a text, 0 before its beginning and behind its end. `charCodeAt` gives NaN there: once it
 * did, V8 takes every unit that is read at the same place of a program for a floating-point number, at half the speed.
 */
export const codeAt = (text: string, at: number): number =>
  at >= 0 && at < text.length ? text.charCodeAt(at) : 0;
