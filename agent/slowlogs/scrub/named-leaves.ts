import { withoutEscapes } from './escapes.js';
import { nowhere, type Fields } from './field-tables.js';
import type { Token } from './json-tokens.js';
import { backslashesAt, quotedMarker } from './json-strings.js';
import { marker, spanOf, type FoundSpan, type Span } from './span.js';
import type { View } from './view.js';

const nameAtMost = 400;

/** What a name says that stands between two places of a text, null where that is nothing. */
export type Judge<Says> = (text: string, from: number, to: number) => Says | null;

/** A name of a field as it is meant: a boost (`^2.0`) may follow it, and wildcards may stand anywhere in it. */
export function nameIn(source: string, start: number, end: number): string {
  const plainEnd = endOfPlain(source, start, end);
  return plainEnd === -1 ? escapedName(source, start, end) : source.slice(start, plainEnd);
}

/** Where a name ends that is read in place, -1 where it is not, as it holds escapes: few do. */
function endOfPlain(source: string, start: number, end: number): number {
  const until = Math.min(end, start + nameAtMost);
  for (let at = start; at < until; at += 1) {
    const code = source.charCodeAt(at);
    if (code === caret) return wildcardsFrom(source, start, at);
    if (code === backslash || code === percent) return -1;
  }
  return wildcardsFrom(source, start, until);
}

function escapedName(source: string, start: number, end: number): string {
  const name = withoutEscapes(source.slice(start, Math.min(end, start + nameAtMost)));
  const boost = name.indexOf('^');
  return name.slice(0, wildcardsFrom(name, 0, boost === -1 ? name.length : boost));
}

/** Where the wildcards begin that end a name: those before are taken for what separates its words. */
function wildcardsFrom(text: string, from: number, to: number): number {
  let end = to;
  while (end > from && text.charCodeAt(end - 1) === asterisk) end -= 1;
  return end;
}

/** What a name of a field says. */
function saidAt<Says>(source: string, start: number, end: number, judge: Judge<Says>): Says | null {
  const plainEnd = endOfPlain(source, start, end);
  if (plainEnd !== -1) return judge(source, start, plainEnd);
  const name = escapedName(source, start, end);
  return judge(name, 0, name.length);
}

const [percent, asterisk, backslash, caret] = [37, 42, 92, 94];

/**
 * Whether of what the names say that some members give to others some is accepted; of a script, each word may be one.
 * Members may hold each other, and are given the same names then: `known` remembers of which of
 * them nothing was.
 */
export function someSaid<Says>(
  source: string,
  { names, namings }: Fields,
  naming: number,
  judge: Judge<Says>,
  accept: (says: Says) => boolean,
  known?: KnownNames,
): boolean {
  const { start: first, end: last } = namings.namesOf(naming);
  const inScript = namings.inScript(naming);
  for (let at = first; at < last; at += 1) {
    const [start, end] = [names.startOf(at), names.endOf(at)];
    const isAccepted = inScript
      ? someSaidInScript(source.slice(start, end), judge, accept)
      : (known?.of(start) ?? isSaid(start, end));
    if (isAccepted) return true;
    if (!inScript) known?.refuse(start);
  }
  return false;

  function isSaid(start: number, end: number): boolean {
    const says = saidAt(source, start, end, judge);
    return says !== null && accept(says);
  }
}

/** Names of a text of which nothing is accepted, by the places where they begin. */
export class KnownNames {
  readonly #refused: Uint8Array;

  constructor(source: string) {
    this.#refused = new Uint8Array(source.length + 1);
  }

  /** False where nothing is accepted of the name at a place, null where that is not known. */
  of(start: number): false | null {
    return this.#refused[start] === 1 ? false : null;
  }

  refuse(start: number): void {
    this.#refused[start] = 1;
  }
}

/** Its words begin with a letter and may be of several. */
function someSaidInScript<Says>(
  source: string,
  judge: Judge<Says>,
  accept: (says: Says) => boolean,
): boolean {
  const script = withoutEscapes(source);
  for (let start = 0; start < script.length; start += 1) {
    if (!beginsWord(script.charCodeAt(start))) continue;
    let end = start + 1;
    while (end - start < wordAtMost && isOfWords(script.charCodeAt(end))) end += 1;
    if (end === start + 1) continue;
    const says = judge(script, start, end);
    if (says !== null && accept(says)) return true;
    start = end - 1;
  }
  return false;
}

const wordAtMost = 121;
const underscore = 95;
const beginsWord = (code: number): boolean => isLetter(code | 32) || code === underscore;
const isLetter = (code: number): boolean => code >= 97 && code <= 122;
const isOfWords = (code: number): boolean =>
  beginsWord(code) || (code >= 48 && code <= 57) || code === dot || code === hyphen;
const [hyphen, dot] = [45, 46];

/**
 * Scalars by what their names say: `judge` tells it of a name, null where that is nothing, and `accept` whether it holds
 * for a value. Few may be taken: `mayBe` tells those apart by their ends, before any name is read.
 */
export function leavesNamed<Says>(
  view: View,
  mayBe: (start: number, end: number) => boolean,
  judge: Judge<Says>,
  accept: (value: Span, says: Says) => boolean,
): readonly FoundSpan[] {
  const { source } = view;
  const fields = view.fields();
  const { keys, leaves } = fields;
  const found: FoundSpan[] = [];
  const take = (at: number, says: Says): void => {
    const leaf = leaves.at(at);
    const span = accept(leaf, says) ? inPlaceOf(source, leaf) : null;
    if (span !== null) found.push(span);
  };
  const mayBeAt = (at: number): boolean => mayBe(leaves.startOf(at), leaves.endOf(at));
  for (let at = 0; at < leaves.length; at += 1) {
    const field = leaves.fieldOf(at);
    if (field === nowhere || !mayBeAt(at)) continue;
    const says = saidAt(source, keys.startOf(field), keys.endOf(field), judge);
    if (says !== null) take(at, says);
  }
  eachLeafSaid(source, fields, mayBeAt, judge, take);
  return found;
}

/** Members may hold each other: what is said of a leaf twice is given once. */
function eachLeafSaid<Says>(
  source: string,
  fields: Fields,
  mayBe: (at: number) => boolean,
  judge: Judge<Says>,
  give: (at: number, says: Says) => void,
): void {
  const { namings, held } = fields;
  const ranges: { readonly says: Says; readonly firstLeaf: number; readonly lastLeaf: number }[] = [];
  for (let naming = 0; naming < namings.length; naming += 1) {
    if (!mayHold(fields, naming, mayBe)) continue;
    const said: Says[] = [];
    someSaid(source, fields, naming, judge, (says) => {
      if (!said.includes(says)) said.push(says);
      return false;
    });
    if (said.length === 0) continue;
    const { start, end } = namings.heldOf(naming);
    for (let at = start; at < end; at += 1) {
      const { firstLeaf, lastLeaf } = held.at(at);
      for (const says of said) ranges.push({ says, firstLeaf, lastLeaf });
    }
  }
  ranges.sort((a, b) => a.firstLeaf - b.firstLeaf);
  const givenUntil = new Map<Says, number>();
  for (const { says, firstLeaf, lastLeaf } of ranges) {
    const given = givenUntil.get(says) ?? 0;
    for (let at = Math.max(firstLeaf, given); at < lastLeaf; at += 1) if (mayBe(at)) give(at, says);
    givenUntil.set(says, Math.max(lastLeaf, given));
  }
}

/** Of what holds many leaves, that takes as long as to tell what its names say. */
const askedAtMost = 8;

function mayHold({ namings, held }: Fields, naming: number, mayBe: (at: number) => boolean): boolean {
  const { start, end } = namings.heldOf(naming);
  for (let value = start; value < end; value += 1) {
    const { firstLeaf, lastLeaf } = held.at(value);
    if (lastLeaf - firstLeaf > askedAtMost) return true;
    for (let at = firstLeaf; at < lastLeaf; at += 1) if (mayBe(at)) return true;
  }
  return false;
}

/** A scalar with what replaces it; `null` says nothing and is left, and so is what was replaced where no string was. */
export function inPlaceOf(source: string, { start, end, isString, depth }: Token): FoundSpan | null {
  if (isString) return spanOf(start, end);
  const saysNothing =
    (end - start === 4 && source.startsWith('null', start)) || source.startsWith(marker, start - 1);
  return saysNothing ? null : { start, end, replacement: quotedMarker(backslashesAt(depth)) };
}
