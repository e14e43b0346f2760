import type { Span } from '../span.js';
import type { Units } from '../units.js';
import { skip } from './reading.js';
import { Alphabet } from './runs.js';

/** Base64, and what may stand around each line of it: marks, commas, signs that join strings, escapes, those before quoted lines. */
const ofLines = Alphabet.of('[A-Za-z0-9+/=]');
const around = Alphabet.of('["\'`,+\\s\\\\;.&|#>*()]');
const marks = Alphabet.of('["\'`]');
const ofTags = Alphabet.of('[A-Za-z/! -]');
const ofEntities = Alphabet.of('[#A-Za-z0-9]');
const [lineFeed, blank, doubleQuote, ampersand, plus, hyphen, colon, semicolon, less, greater] = [
  10, 32, 34, 38, 43, 45, 58, 59, 60, 62,
];
const aroundAtMost = 40;
const blanksAtMost = 8;
const tagAtMost = 11;
const entityAtMost = 6;
/** Of shorter lines a block has but the last. */
const lineAtLeast = 16;

const ofHeaders = Alphabet.of('[A-Za-z0-9-]');
/** Not of another block: else of many that begin each would read those behind it. */
const inHeaders = Alphabet.of('[A-Za-z0-9 ,.:/+=@_()-]');
const putty = 'PuTTY-';
const puttyEnd = 'Private-MAC';
const headerAtMost = 100;
const headersAtMost = 7;

const commentAtMost = 200;
const commented = 'Comment: ';

/**
 * Lines of a private key that stand apart, behind a place where its block seems to end: as strings of a list, as strings
 * that are put together, or with markup between them. They are given as long as they look like lines of a key, one short
 * one before the end too. Headers may stand before them. Nothing is read from where the next block begins, `until`: of many
 * blocks each would read those behind it. Gives the place behind the last.
 */
export function eachKeyLine(units: Units, from: number, until: number, give: (line: Span) => void): number {
  let behind = from;
  let headers = 0;
  for (let start = lineStart(units, from); start !== -1 && start < until;) {
    const end = skip(units, ofLines, start, units.length);
    const isLine = end - start >= lineAtLeast ? !isKey(units, end) : end > start && isLast(units, end);
    const header = isLine || headers === headersAtMost ? -1 : headerEnd(units, start);
    if (!isLine && (header === -1 || header > until)) return behind;
    if (isLine) {
      give({ start, end });
      behind = end;
      headers = 0;
    } else headers += 1;
    start = lineStart(units, isLine ? end : header);
  }
  return behind;
}

/** `Proc-Type: 4,ENCRYPTED` and others before the lines; -1 where none is. */
function headerEnd(units: Units, start: number): number {
  let end = skip(units, ofHeaders, start, headerAtMost);
  if (end === start || units.at(end) !== colon || units.at(end + 1) !== blank) return -1;
  if (units.text.startsWith(putty, start)) return -1;
  while (end - start < headerAtMost && inHeaders.has(units.at(end)) && !isRule(units, end)) end += 1;
  return end;
}

/** Where the next line begins: at a mark, behind markup or on a line of its own; -1 where something else is between. */
function lineStart(units: Units, from: number): number {
  let at = from;
  let breaks = isLineBegun(units, from);
  while (at - from < aroundAtMost) {
    const code = units.at(at);
    const begins = at > from && (breaks || marks.has(units.at(at - 1)));
    if (begins && code === plus && ofLines.has(units.at(at + 1))) return at;
    if (code === less) {
      const end = tagEnd(units, at);
      if (end === -1) return -1;
      at = end;
      breaks = true;
    } else if (code === hyphen && units.at(at + 1) === blank) {
      at += 1; // of a list of YAML
    } else if (around.has(code)) {
      breaks = breaks || code === lineFeed;
      at = code === ampersand ? entityEnd(units, at) : at + 1;
      breaks = breaks || units.at(at - 1) === semicolon;
    } else return begins ? at : -1;
  }
  return -1;
}

function isLineBegun(units: Units, from: number): boolean {
  let at = from;
  while (from - at < blanksAtMost && units.at(at - 1) === blank) at -= 1;
  return units.at(at - 1) === lineFeed;
}

function tagEnd(units: Units, at: number): number {
  const end = skip(units, ofTags, at + 1, tagAtMost);
  return units.at(end) === greater ? end + 1 : -1;
}

/** `&#10;` */
function entityEnd(units: Units, at: number): number {
  const end = skip(units, ofEntities, at + 1, entityAtMost);
  return units.at(end) === semicolon ? end + 1 : at + 1;
}

/** Whether a mark and a colon follow, as behind a key of JSON. */
function isKey(units: Units, end: number): boolean {
  if (!marks.has(units.at(end))) return false;
  return units.at(units.at(end + 1) === blank ? end + 2 : end + 1) === colon;
}

/** Whether the end of the block follows. */
function isLast(units: Units, end: number): boolean {
  const next = lineStart(units, end);
  return next !== -1 && (isRule(units, next) || units.text.startsWith(puttyEnd, next));
}

/** `--` */
const isRule = (units: Units, at: number): boolean => units.at(at) === hyphen && units.at(at + 1) === hyphen;

/** Behind a comment in marks, which a block of SSH2 may have, and its mark stands at a place; -1 where none is. */
export function behindComment(units: Units, at: number): number {
  if (units.at(at) !== doubleQuote || !units.text.startsWith(commented, at - commented.length)) return -1;
  for (let end = at + 1; end < units.length && end - at < commentAtMost; end += 1) {
    const code = units.at(end);
    if (code === doubleQuote) return end + 1;
    if (code === lineFeed) return -1;
  }
  return -1;
}
