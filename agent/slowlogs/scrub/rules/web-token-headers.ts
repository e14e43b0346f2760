import type { Units } from '../units.js';

/** The digits of base64, of both alphabets; no other is ever looked up. */
const values = new Uint8Array(128);
const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
for (const alphabet of [`${digits}+/`, `${digits}-_`])
  for (let value = 0; value < 64; value += 1) values[alphabet.charCodeAt(value)] = value;

/** No more of a header is read, and more is none of anything else. */
export const headerAtMost = 4_096;

/**
 * Whether what stands in a text in base64 is a JOSE header (RFC 7515): an object that names an algorithm or a type. Its
 * last byte is looked at first, as few words end in a brace; decoding each would cost more than all the rest.
 */
export function isHeader(units: Units, from: number, to: number): boolean {
  if (to - from >= headerAtMost) return true;
  let end = to;
  while (units.at(end - 1) === padding) end -= 1;
  let last = (((end - from) * 6) >> 3) - 1;
  while (last > 0 && isBlank(byteAt(units, from, last))) last -= 1;
  return last >= 0 && byteAt(units, from, last) === closingBrace && namesParameter(units, from, last);
}

const [padding, doubleQuote, closingBrace] = [61, 34, 125];

function byteAt(units: Units, from: number, place: number): number {
  const bit = place * 8;
  const at = from + Math.trunc(bit / 6);
  const two = (valueOf(units.at(at)) << 6) | valueOf(units.at(at + 1));
  return (two >> (4 - (bit % 6))) & 255;
}

const valueOf = (code: number): number => values[code] ?? 0;

/** What ends a text of Latin-1 that means nothing. */
const isBlank = (byte: number): boolean => byte === 32 || (byte >= 9 && byte <= 13) || byte === 160;

const codeOf = (name: string): number =>
  (name.charCodeAt(0) << 16) | (name.charCodeAt(1) << 8) | name.charCodeAt(2);
const parameters = new Set(['alg', 'enc', 'typ', 'kid', 'cty', 'x5c', 'x5t', 'x5u'].map(codeOf));

/** Whether one of their names stands in quotation marks. */
function namesParameter(units: Units, from: number, last: number): boolean {
  let before = 0; // four bytes
  for (let place = 0; place < last; place += 1) {
    const byte = byteAt(units, from, place);
    const isQuoted = byte === doubleQuote && before >>> 24 === doubleQuote;
    if (isQuoted && parameters.has(before & 0xffffff)) return true;
    before = (before << 8) | byte;
  }
  return false;
}
