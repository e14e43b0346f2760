import type { SearchWord } from './search-words.js';
import type { Span } from './span.js';

/** A string of JSON, without its marks, or another scalar, and the field that it is a value of. */
export interface Leaf extends Span {
  readonly isString: boolean;
  /** How many times its quotation marks were escaped. */
  readonly depth: number;
  /** Its key, or the next one above it that is not a word of a search. */
  readonly field: Span | null;
  /** The field that holds this one. */
  readonly owner: Span | null;
}

/** A value of a member, with its marks or brackets. */
export interface Held extends Span {
  readonly depth: number;
  /** Its leaves, in the list of all. */
  readonly firstLeaf: number;
  readonly lastLeaf: number;
}

/** Members of one object that hold values of fields which others name. */
export interface Naming {
  readonly names: readonly Span[];
  /** The names stand somewhere in a script or another query. */
  readonly inScript: boolean;
  readonly held: readonly Held[];
}

export interface Fields {
  readonly leaves: readonly Leaf[];
  readonly namings: readonly Naming[];
}

export interface Member extends Held {
  readonly word: SearchWord;
}

export interface Key extends Span {
  readonly word: SearchWord | null;
}

export interface Frame {
  readonly isObject: boolean;
  readonly start: number;
  readonly firstLeaf: number;
  /** The field that its values are of, and the one above. */
  readonly field: Span | null;
  readonly owner: Span | null;
  /** The key whose value comes next. */
  key: Key | null;
  members: Member[] | null;
  /** Names of fields in what it holds, by how many levels below. */
  below: (Span[] | undefined)[] | null;
}

/** Names of fields say something of texts so many levels above: `composite`, over its sources. */
export const levelsAtMost = 4;

export const frame = (
  isObject: boolean,
  start: number,
  firstLeaf: number,
  field: Span | null,
  owner: Span | null,
): Frame => ({ isObject, start, firstLeaf, field, owner, key: null, members: null, below: null });

/** Most frames have one name or none: an array that grows by a push takes room for many. */
export function passOn(names: readonly Span[], above: Frame, level: number): void {
  const below = (above.below ??= new Array<Span[] | undefined>(levelsAtMost).fill(undefined));
  const known = below[level];
  if (known === undefined) below[level] = [...names];
  else for (const name of names) known.push(name);
}

/** The field of a value that comes next. */
export const fieldIn = ({ key, field }: Frame): Span | null =>
  key === null || key.word?.isWrapper === true ? field : key;

/** The one that holds this one. */
export const ownerIn = ({ key, field, owner }: Frame): Span | null =>
  key === null || key.word?.isWrapper === true ? owner : field;
