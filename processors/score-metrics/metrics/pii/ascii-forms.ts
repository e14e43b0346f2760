/** All characters that have an ASCII form here. Most texts have none, as one search shows. */
const typographic = /[\u00a0\u1680\u2000-\u200a\u2010-\u2015\u202f\u205f\u2212\u3000\uff01-\uff5e]/;
const spaces = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g;
const wideLettersAndDigits = /[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a]/g;

/**
 * Marks that join their neighbours. A dash between sentences separates words, and a wide full stop or colon
 * is the ordinary mark of Chinese and Japanese: there they stay as they are.
 */
const joiningDashes = /(?<=[0-9A-Z)\uff09])[\u2010-\u2015\u2212\uff0d](?=[0-9A-Z(\uff08])/g;
const joiningMarks =
  /(?<=[0-9A-Za-z])[\uff03\uff05-\uff07\uff0b\uff0d-\uff0f\uff1a\uff1d\uff20\uff3f](?=[0-9A-Za-z])/g;
/** Marks that belong to the digits after or before them. */
const signs = /\uff0b(?=\d)|(?<![\p{L}])\uff08(?=[\d+])|(?<=\d)\uff09/gu;

const firstWide = 0xff01;
const firstAscii = 0x21;

/**
 * The text with typographic hyphens, typographic spaces and full-width characters replaced by ASCII, unit by
 * unit. So an offset into the result is an offset into the text.
 */
export function inAsciiForms(text: string): string {
  if (!typographic.test(text)) return text;
  return text
    .replace(spaces, ' ')
    .replace(wideLettersAndDigits, narrow)
    .replace(joiningDashes, '-')
    .replace(joiningMarks, narrow)
    .replace(signs, narrow);
}

const narrow = (wide: string): string => String.fromCharCode(wide.charCodeAt(0) - firstWide + firstAscii);
