import { markedDigits, rounded } from './exact-number.js';
import { quoted, type Findings } from './findings.js';

const maxInt64 = '9223372036854775807';
const minInt64Magnitude = '9223372036854775808';
const maxUint32 = 0xffff_ffff;

/** An attribute's value as a signed 64-bit integer in decimal text, from a number or a text. */
export function int64(value: unknown, key: string, findings: Findings): string {
  const text = integerText(value, findings);
  if (text === undefined) {
    findings.note(`attribute ${quoted(key)} is not an integer: ${quoted(value)}`);
    return '0';
  }
  const negative = text.startsWith('-');
  if (exceeds(negative ? text.slice(1) : text, negative ? minInt64Magnitude : maxInt64))
    findings.note(`attribute ${quoted(key)} does not fit 64 bits: ${quoted(value)}`);
  return text;
}

/** Nanoseconds since 1970 as decimal text; absent is 0. */
export function nanoseconds(value: unknown, what: string, findings: Findings): string {
  if (value === undefined || value === null) return '0';
  const text = integerText(value, findings);
  if (text === undefined || text.startsWith('-')) {
    findings.note(`${what} is not a number of nanoseconds since 1970: ${quoted(value)}`);
    return '0';
  }
  if (exceeds(text, maxInt64)) findings.note(`${what} is after the year 2262: ${quoted(value)}`);
  return text;
}

/** An unsigned 32-bit integer; absent is 0. */
export function uint32(value: unknown, what: string, findings: Findings): number {
  if (value === 0 || value === undefined || value === null) return 0;
  const number = typeof value === 'number' ? value : Number(integerText(value, findings));
  if (Number.isInteger(number) && number >= 0 && number <= maxUint32) return number;
  findings.note(`${what} is not an unsigned 32-bit integer: ${quoted(value)}`);
  return 0;
}

/** An attribute's value as a double, from a number or a text, as for NaN in protobuf's JSON. */
export function double(given: unknown, key: string, findings: Findings): number {
  const value = rounded(given);
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (typeof value === 'string') {
    if (value === 'NaN') return NaN;
    if (value === 'Infinity') return Infinity;
    if (value === '-Infinity') return -Infinity;
    const number = decimal.test(value) ? Number(value) : NaN;
    if (Number.isFinite(number)) return number;
  }
  findings.note(`attribute ${quoted(key)} is not a double: ${quoted(given)}`);
  return 0;
}

/** The shortest text that parses to the same double. */
export function doubleText(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

const decimal = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const plainInteger = /^(?:-?[1-9]\d*|0)$/;

/** An integer as decimal text without redundant zeros; undefined if it is not an integer. */
function integerText(given: unknown, findings: Findings): string | undefined {
  const value = markedDigits(given) ?? given;
  if (typeof value === 'string') return plainInteger.test(value) ? value : expanded(value);
  if (typeof value !== 'number' || !Number.isInteger(value)) return undefined;
  if (!Number.isSafeInteger(value)) findings.rounded = true;
  return String(value);
}

/** A longer text can't be a 64-bit integer. */
const mostDigits = 40;

/** `1.5447e18` and `42.0` are also integers. They are not converted to a double, which could lose digits. */
function expanded(text: string): string | undefined {
  if (text.length > mostDigits || !decimal.test(text)) return undefined;
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e');
  const negative = mantissa.startsWith('-');
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const shift = Number(exponent);
  if (Math.abs(shift) > mostDigits) return undefined;
  const digits = whole + fraction + '0'.repeat(Math.max(0, shift - fraction.length));
  const point = whole.length + shift;
  if (/[1-9]/.test(digits.slice(Math.max(0, point)))) return undefined;
  const integer = digits.slice(0, Math.max(0, point)).replace(/^0+/, '');
  if (integer === '') return '0';
  return negative ? `-${integer}` : integer;
}

/** Compares two decimal texts without leading zeros. */
function exceeds(text: string, limit: string): boolean {
  return text.length > limit.length || (text.length === limit.length && text > limit);
}
