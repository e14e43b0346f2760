import type { TextShape } from './entities.js';

const isDigit = (code: number): boolean => code >= 48 && code <= 57;
const isLetter = (code: number): boolean => (code >= 65 && code <= 90) || (code >= 97 && code <= 122);

/** One pass over the UTF-16 units of a text. Only ASCII counts: no recognizer takes another script's digits. */
export function shapeOf(text: string): TextShape {
  let digits = 0;
  let longestToken = 0;
  let token = 0;
  let dots = 0;
  let colons = 0;
  let ats = 0;
  let isAscii = true;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (isLetter(code)) {
      token++;
      continue;
    }
    if (isDigit(code)) {
      token++;
      digits++;
      continue;
    }
    if (token > longestToken) longestToken = token;
    token = 0;
    if (code === 46) dots++;
    else if (code === 58) colons++;
    else if (code === 64) ats++;
    else if (code > 127) isAscii = false;
  }
  return { digits, longestToken: Math.max(longestToken, token), dots, colons, ats, isAscii };
}
