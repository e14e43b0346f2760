import { JsonCheck } from './json-check.js';
import { backslashesAt, backslashesBefore, depthOf, endOfString } from './json-strings.js';
import { Tokens } from './json-tokens.js';
import { isDigit } from './letter-trie.js';

/** An object or a list: a log's line may begin with a bracket as well, `[INFO]` or `[redacted]`. */
const beginsAsJson =
  /^[\s\\"]*(?:\{|\[(?:\s|\\+[nrt])*(?:[{["\\\]]|(?:-?\d[\d.eE+-]{0,40}|true|false|null)\s*(?:,|\\|\]?\s*$)|$))/;

/** Whether a text begins as JSON does, whole or cut off, however often it was escaped. */
export const looksLikeJson = (source: string): boolean => beginsAsJson.test(source.slice(0, 64));

/** Whether JSON has lost its end. */
export const isCutOff = (source: string): boolean =>
  looksLikeJson(source) && !/[}\]]["\s]*$/.test(source.slice(-64));

/**
 * The strings and values of JSON, in order. A string that is JSON itself gives its own instead, as deep as that may be.
 * Of JSON that was cut off the last string goes on to the end. A text that is no JSON has none.
 */
export function tokensOf(source: string): Tokens {
  const reader = new Reader(source);
  const mark = source.indexOf('"');
  const depth = depthOf(backslashesBefore(source, mark, 0));
  const isString = /^\s*\\*"/.test(source.slice(0, 64)) && reader.check.isValue(0, source.length, depth);
  if (isString || looksLikeJson(source)) reader.read(0, source.length, depth);
  return reader.tokens;
}

class Reader {
  readonly tokens = new Tokens();
  readonly check: JsonCheck;

  constructor(private readonly source: string) {
    this.check = new JsonCheck(source);
  }

  read(start: number, end: number, depth: number): void {
    const { source } = this;
    const width = backslashesAt(depth) + 1;
    for (let at = start; at < end;) {
      const until = this.#readLiterals(at, end, depth);
      if (until === end) return;
      const stringEnd = endOfString(source, until + 1, depth);
      if (this.#holdsJson(until + 1, stringEnd, depth + 1)) this.read(until + 1, stringEnd, depth + 1);
      else this.tokens.add(until + 1, stringEnd, true, depth);
      at = stringEnd + width;
    }
  }

  /** Up to the next mark, whose place it gives, or to the end. */
  #readLiterals(from: number, end: number, depth: number): number {
    const { source } = this;
    let at = from;
    while (at < end) {
      const code = source.charCodeAt(at);
      if (code === quotationMark) return at;
      const literalEnd = mayBeginLiteral(code) ? Math.min(end, endOfLiteral(source, at, code)) : at;
      if (literalEnd > at) this.tokens.add(at, literalEnd, false, depth);
      at = Math.max(literalEnd, at + 1);
    }
    return end;
  }

  /** Most strings show by their ends that they are none. */
  #holdsJson(start: number, end: number, depth: number): boolean {
    const { source } = this;
    return (
      end - start >= 2 &&
      mayBegin(source.charCodeAt(start)) &&
      mayEnd(source.charCodeAt(end - 1)) &&
      this.check.isValue(start, end, depth) &&
      (beginsAsStructure(source.charCodeAt(start), source.charCodeAt(start + 1)) ||
        looksLikeJson(source.slice(start, Math.min(end, start + 64))))
    );
  }
}

/** What most begin with, told without an expression. */
const beginsAsStructure = (first: number, second: number): boolean =>
  first === openBrace ||
  (first === openBracket && (second === closeBracket || second === openBrace || second === openBracket));

const [blank, quotationMark, hyphen, openBracket, backslash, closeBracket, openBrace, closeBrace] = [
  32, 34, 45, 91, 92, 93, 123, 125,
];
const [letterF, letterN, letterR, letterT] = [102, 110, 114, 116];

const mayBegin = (code: number): boolean =>
  code === openBrace ||
  code === openBracket ||
  code === backslash ||
  code === quotationMark ||
  code === blank;

/** Blanks may be escaped. */
const mayEnd = (code: number): boolean =>
  code === closeBrace ||
  code === closeBracket ||
  code === quotationMark ||
  code === blank ||
  code === letterN ||
  code === letterR ||
  code === letterT;

const mayBeginLiteral = (code: number): boolean =>
  isDigit(code) || code === hyphen || code === letterT || code === letterF || code === letterN;

/** Where a number or a word of JSON ends, or what was cut off behind its first digit; the place itself where none begins. */
function endOfLiteral(source: string, start: number, first: number): number {
  if (first === letterT) return source.startsWith('true', start) ? start + 4 : start;
  if (first === letterF) return source.startsWith('false', start) ? start + 5 : start;
  if (first === letterN) return source.startsWith('null', start) ? start + 4 : start; // or of an escaped line break
  let end = first === hyphen ? start + 1 : start;
  if (!isDigit(source.charCodeAt(end))) return start;
  while (isOfNumber(source.charCodeAt(end))) end += 1;
  return end;
}

/** A digit, a dot, a sign or an `e`. */
const isOfNumber = (code: number): boolean =>
  isDigit(code) || code === hyphen || code === 46 || code === 43 || (code | 32) === 101;
