import { backslashesBefore } from './json.js';
import { marker, type Span } from './replacements.js';

/** Longer values are not read. */
const longest = 8_192;
const open = /(?:\s{0,8})(?:[uUbBrRfFN]{0,2}(?=["']))?(?<mark>\\{0,8}"""|\\{0,8}["'`]|)/y;
const scheme =
  /(?:basic|bearer|token|apikey|digest|negotiate)[\s+]{1,8}(?=\S)|!!?[\w/]{1,20}\s{1,4}|&\w{1,20}\s{1,4}/iy;
/** Operators that append another text to the last one, or choose between them. */
const link =
  /[)\]]{0,2}\s{0,4}(?:\+|\|\||\?\?|:|\bor\b|\band\b|\.(?=\s{0,2}["'])|(?:[!=]=\s{0,2}(?:null|'')\s{0,4})?\?(?:\s{0,4}[\w.]{1,40}\s{0,4}:)?)\s{0,4}(?:[\w.()$]{1,60}\s{0,4}(?:\+|\|\||\?\?)\s{0,4}){0,3}(?<mark>["'])(?!\s{0,2}:)/iy;
const bareWord =
  /(?:\\.|<(?!\/|br\b|\w{1,12}>)|[,;](?![\s\w])|,(?=\w+(?![\w]*\s?[=:])\b)|(?<=[\w<`])['`](?=[\w<])|&(?![\w.%+[\]-]{0,60}(?:[=&\s"'<;\\]|$)|#\w{1,8};)|[^\s"'`<&,;|\\])+/y;
const restOfLine = /<!\[CDATA\[(?:(?!\]\]>)[^]){0,8192}|[^\n\r"'`<>]{1,8192}/y;
const section = '<![CDATA[';
const block = /(?:![\w]{1,20} )?[|>][-+]?\d?[ \t]*\r?\n(?<indent>[ \t]+)/y;
const hereDocument = /<<-?["']?(?<word>\w{1,40})["']?\r?\n?/y;

/**
 * The values at an offset: one, or those of a list or a group if each has to be examined. A certain
 * credential includes everything that belongs to it.
 */
export function valuesAt(text: string, start: number, isSure: boolean, isLine: boolean): readonly Span[] {
  if (text.startsWith(marker, start)) return [];
  const special = isSure ? (blockAt(text, start) ?? hereDocumentAt(text, start)) : null;
  if (special !== null) return [special];
  scheme.lastIndex = start;
  const from = scheme.test(text) ? scheme.lastIndex : start;
  open.lastIndex = from;
  const mark = open.exec(text)?.groups?.['mark'] ?? '';
  const at = Math.max(open.lastIndex, from);
  if (text.startsWith(marker, at)) return [];
  if (mark !== '') return [chained(text, quotedAt(text, at, mark), isSure)];
  const first = text.charAt(at);
  if (first === '(' || first === '[' || first === '{') return groupAt(text, at, isSure);
  if (isSure && first === '/') return [regexAt(text, at) ?? wordAt(text, at)];
  const word = isLine ? lineAt(text, at) : wordAt(text, at);
  return word.end > word.start ? [isSure ? expression(text, word) : word] : [];
}

/** Up to the same mark, unless a backslash or the mark itself precedes it. */
function quotedAt(text: string, start: number, mark: string): Span {
  const limit = Math.min(text.length, start + longest);
  const quote = mark.at(-1) ?? '"';
  const backslashes = mark.length - 1;
  for (let at = text.indexOf(mark, start); at !== -1 && at < limit; at = text.indexOf(mark, at + 1)) {
    if (mark.length >= 3 && backslashes >= 2 && mark.endsWith('"""')) return { start, end: at };
    const isTwice = quote === "'" && text.startsWith("''", at) && at > start;
    if (isTwice) at += 1;
    else if (backslashesBefore(text, at + backslashes) % 2 === backslashes % 2) return { start, end: at };
  }
  return { start, end: limit };
}

/** Includes the texts that are appended to it, `"a" + b + "c"`, or that it falls back to. */
function chained(text: string, first: Span, isSure: boolean): Span {
  let { end } = first;
  for (let links = 0; isSure && links < 50; links += 1) {
    link.lastIndex = end + 1;
    const mark = link.exec(text)?.groups?.['mark'];
    if (mark === undefined) break;
    ({ end } = quotedAt(text, link.lastIndex, mark));
  }
  return { start: first.start, end };
}

/** A word, or an expression with texts in it: `Secret("…")`, `env.TOKEN || "…"`. */
function expression(text: string, word: Span): Span {
  const call = word.end > word.start ? text.slice(word.start, word.end).indexOf('(') : -1;
  if (call > 0 && /["']/.test(text.slice(word.start + call, word.start + call + 100)))
    return { start: word.start, end: closingOf(text, word.start + call) };
  link.lastIndex = word.end;
  const mark = link.exec(text)?.groups?.['mark'];
  if (mark === undefined) return word;
  return { start: word.start, end: chained(text, quotedAt(text, link.lastIndex, mark), true).end };
}

function wordAt(text: string, start: number): Span {
  bareWord.lastIndex = start;
  const match = bareWord.exec(text.length > start + longest ? text.slice(0, start + longest) : text);
  if (match === null) return { start, end: start };
  const trimmed = match[0].replace(/(?:[.:!?}\]>]|\)(?!\^))+$/, (tail) =>
    match[0].includes('(') ? tail : '',
  );
  return { start, end: start + (trimmed.length || 0) };
}

function lineAt(text: string, start: number): Span {
  restOfLine.lastIndex = start;
  const line = restOfLine.exec(text)?.[0] ?? '';
  return {
    start: line.startsWith(section) ? start + section.length : start,
    end: start + line.trimEnd().length,
  };
}

function regexAt(text: string, start: number): Span | null {
  const match = /^\/(?:\\.|[^\n\\/]){1,500}\/[a-z]{0,3}(?![\w+/=])/.exec(text.slice(start, start + 508));
  return match && { start, end: start + match[0].length };
}

/** The content of a group, a list or an object: whole if it is certain, otherwise its words one by one. */
function groupAt(text: string, start: number, isSure: boolean): readonly Span[] {
  const end = closingOf(text, start);
  if (isSure) {
    if (end === start + 1) return [];
    const glued = /[)\]}][^\s"'`,;.)\]}&<=^~|][^\s"'`,;&<]*/y;
    glued.lastIndex = end;
    return glued.test(text) ? [{ start, end: glued.lastIndex }] : [{ start: start + 1, end }];
  }
  const words = text.slice(start + 1, Math.min(end, start + 2_000)).matchAll(/(?:\\.|[^\s"'`,()[\]{}\\])+/g);
  return Array.from(words, ({ 0: word, index }) => ({
    start: start + 1 + index,
    end: start + 1 + index + word.length,
  }));
}

/** The offset of the bracket that closes the one at an offset, or the end of the text. */
function closingOf(text: string, start: number): number {
  let depth = 0;
  const limit = Math.min(text.length, start + longest);
  for (let at = start; at < limit; at += 1) {
    const sign = text.charAt(at);
    if (sign === '\\') at += 1;
    else if (sign === '(' || sign === '[' || sign === '{') depth += 1;
    else if (sign === ')' || sign === ']' || sign === '}') {
      depth -= 1;
      if (depth === 0) return at;
    } else if ((sign === '"' || sign === "'") && /[\s(,[:=]/.test(text.charAt(at - 1))) {
      const close = quotedAt(text, at + 1, sign).end;
      if (close < limit) at = close;
    }
  }
  return limit;
}

/** A block of YAML, up to the end of its indentation. */
function blockAt(text: string, start: number): Span | null {
  block.lastIndex = start;
  const indent = block.exec(text)?.groups?.['indent'];
  if (indent === undefined) return null;
  const rest = text.slice(block.lastIndex, block.lastIndex + longest);
  const end = rest.search(new RegExp(`\\n(?!${indent}|[ \\t]*(?:\\r?\\n|$))`));
  return { start: block.lastIndex, end: block.lastIndex + (end === -1 ? rest.trimEnd().length : end) };
}

function hereDocumentAt(text: string, start: number): Span | null {
  hereDocument.lastIndex = start;
  const word = hereDocument.exec(text)?.groups?.['word'];
  if (word === undefined) return null;
  const from = hereDocument.lastIndex - 1;
  const ahead = text.slice(from, start + longest);
  const end = ahead.indexOf(`\n${word}`);
  return { start: hereDocument.lastIndex, end: from + (end === -1 ? ahead.length : end) };
}
