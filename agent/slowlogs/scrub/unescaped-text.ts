import { countUpTo, moved, type Finding, type Span } from './replacements.js';

/** A text without one level of its escapes, which knows the source offset of each of its characters. */
export interface UnescapedText {
  readonly text: string;
  /** A finding in it, with its offsets in the source. */
  readonly inSource: (found: Finding) => Finding;
}

type Decode = (escape: string) => string;

interface Escapes {
  readonly form: RegExp;
  readonly decode: Decode;
  /** A replacement in this kind of escapes. */
  readonly encode: (replacement: string) => string;
}

const letters: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' };
const codeOf = (hex: string): string => String.fromCharCode(Number.parseInt(hex, 16));

/**
 * JSON, and other syntax that escapes with backslashes: nginx by number; Lucene, shells and programs each in
 * their own way.
 */
const backslashes: Escapes = {
  form: /\\(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[^])/g,
  decode: (escape) => {
    const letter = escape.charAt(1);
    return escape.length > 2 ? codeOf(escape.slice(2)) : (letters[letter] ?? letter);
  },
  encode: (replacement) => JSON.stringify(replacement).slice(1, -1),
};

const unquoted = (replacement: string): string => replacement.replaceAll('"', '');

const percent: Escapes = {
  form: /%[0-7][0-9a-fA-F]/g,
  decode: (escape) => codeOf(escape.slice(1)),
  encode: unquoted,
};

const signs: Readonly<Record<string, string>> = {
  quot: '"',
  apos: "'",
  amp: '&',
  lt: '<',
  gt: '>',
  nbsp: ' ',
};
const html: Escapes = {
  form: /&(?:quot|apos|amp|lt|gt|nbsp|#\d{2,3}|#x[0-9a-fA-F]{2});/g,
  decode: (escape) => {
    const name = escape.slice(1, -1);
    if (!name.startsWith('#')) return signs[name] ?? '';
    return name.startsWith('#x') ? codeOf(name.slice(2)) : String.fromCharCode(Number(name.slice(1)));
  },
  encode: unquoted,
};

/** The content of a string of JSON. */
export const decoded = (raw: string): string =>
  raw.includes('\\') ? raw.replace(backslashes.form, backslashes.decode) : raw;

/** The content of a string of JSON. */
export const unescapedString = (raw: string): UnescapedText => unescaped(raw, backslashes);

/** Findings in a string of JSON, by their offsets in its source. */
export function inString(
  { source, start, end }: Span & { readonly source: string },
  found: readonly Finding[],
): readonly Finding[] {
  if (found.length === 0) return [];
  const { inSource } = unescapedString(source.slice(start, end));
  return found.map((one) => moved(inSource(one), start));
}

/** The text without each kind of escapes that it contains. Without any, it would be read again in vain. */
export const unescapedTexts = (text: string): readonly UnescapedText[] =>
  [backslashes, percent, html]
    .filter(({ form }) => text.search(form) !== -1)
    .map((escapes) => unescaped(text, escapes));

function unescaped(source: string, { form, decode, encode }: Escapes): UnescapedText {
  /** After each escape: its offset in the unescaped text, and in the source. */
  const [offsets, sourceOffsets]: [number[], number[]] = [[], []];
  let removed = 0;
  const text = source.replace(form, (escape: string, at: number) => {
    const decodedEscape = decode(escape);
    removed += escape.length - decodedEscape.length;
    sourceOffsets.push(at + escape.length);
    offsets.push(at + escape.length - removed);
    return decodedEscape;
  });
  const sourceOf = (at: number): number => {
    const before = countUpTo(offsets, at) - 1;
    return before < 0 ? at : (sourceOffsets[before] ?? 0) + at - (offsets[before] ?? 0);
  };
  return {
    text,
    inSource: (found) => ({
      ...found,
      start: sourceOf(found.start),
      end: sourceOf(found.end),
      replacement: encode(found.replacement),
    }),
  };
}
