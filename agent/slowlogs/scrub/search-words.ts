import type { EscapedUnits } from './escaped-units.js';
import type { Units } from './units.js';

/**
 * The words of Elasticsearch's own in a search, by what they say of a field. Members of one object speak of each other
 * through a channel: one of them names fields, the others hold what is looked for in them.
 */
export const channels = {
  /** `{"query":…,"fields":["password"]}`, `{"name":"password","value":…}` */
  field: 1,
  /** `{"sort":[{"password":…}],"search_after":[…]}` */
  sort: 2,
  /** `{"source":"doc['password'] == params.x","params":{"x":…}}`, and the parameters of ES|QL and SQL */
  script: 4,
  /** A suggester's text, and where a composite aggregation goes on: fields are named in objects below. */
  below: 8,
} as const;

/** What a word says, in one number: where it names fields, where it holds what is looked for, and whether it wraps. */
const holdsShift = 4;
const wraps = 1 << 8;
const awaitsName = 1 << 9;
const lists = 1 << 10;
const clauses = 1 << 11;

/** Channels in which its value names fields. */
export const namesIn = (word: number): number => word & 15;
/** Channels in which its value is what is looked for. */
export const holdsIn = (word: number): number => (word >> holdsShift) & 15;
/** Below the name of a field it says only how that is searched: what stands under it is looked for in the field. */
export const isWrapper = (word: number): boolean => (word & wraps) !== 0;

/** Whether its value may be that of a field which another member names, before or behind it. */
export const holdsNamed = (word: number): boolean => (word & awaitsName) !== 0;

/** Whether it lists fields, of which a query beside it names its own: `{"query":{…},"fields":[…]}` is a whole search. */
export const listsFields = (word: number): boolean => (word & lists) !== 0;
/** Whether its value may be a query of its own, and is a text otherwise. */
export const mayBeQuery = (word: number): boolean => (word & clauses) !== 0;

const listed = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/));

const namesField = listed(`
  name Name id key Key k field fields default_field use_field header param parameter property label
  attribute column displayName fieldName field_name propertyName property_name columnName column_name
`);
const namesInScript = listed(
  'source inline query script id init_script map_script combine_script reduce_script',
);
const holdsForField = listed(`
  value Value values Values val v pattern query secret_value content default data missing include exclude like unlike text prefix regex
  ranges model_text inference_text query_vector_builder term origin newValue oldValue new_value old_value
`);
const holdsForBelow = listed('text prefix regex after');
const wrappers = listed(`
  value values query wildcard prefix regexp regex fuzzy term terms match match_phrase text pattern from to gte gt lte lt
  eq include exclude missing like intervals all_of any_of clauses equals contains
`);

const alone = listed('value v val query');

const bit = (isSet: boolean, channel: number): number => (isSet ? channel : 0);

const bitsOf = (word: string): number =>
  bit(namesField.has(word), channels.field) |
  bit(word === 'sort', channels.sort) |
  bit(namesInScript.has(word), channels.script) |
  (bit(holdsForField.has(word), channels.field) << holdsShift) |
  (bit(word === 'search_after', channels.sort) << holdsShift) |
  (bit(word === 'params', channels.script) << holdsShift) |
  (bit(holdsForBelow.has(word), channels.below) << holdsShift) |
  bit(wrappers.has(word), wraps) |
  bit(alone.has(word), awaitsName) |
  bit(word === 'fields', lists) |
  bit(word === 'query', clauses);

interface Listed {
  readonly text: string;
  readonly word: number;
}

const all = [namesField, namesInScript, holdsForField, holdsForBelow, wrappers];
const words = [...new Set(all.flatMap((some) => [...some]).concat('sort', 'search_after', 'params'))];
const longest = Math.max(...words.map(({ length }) => length));

/** By their lengths and first letters: keys are many, and none is cut out of its text to be looked up. */
const shapeOf = (length: number, first: number): number => length * 128 + first;
const byShape = Array.from({ length: shapeOf(longest + 1, 0) }, (_, shape): readonly Listed[] =>
  words
    .filter((text) => shapeOf(text.length, text.charCodeAt(0)) === shape)
    .map((text) => ({ text, word: bitsOf(text) })),
);
const isShape = Uint8Array.from(byShape, (listed) => Number(listed.length > 0));

/** What a key of JSON is to a search, 0 where it is a name of somebody's own. */
export function searchWord(units: Units, from: number, to: number): number {
  const length = to - from;
  if (length > longest) return 0;
  const first = units.at(from);
  if (first >= 128 || isShape[shapeOf(length, first)] === 0) return 0;
  for (let at = 0; at < length; at += 1) letters[at] = units.at(from + at);
  return wordOf(length);
}

/** The same of a key that may hold escapes: 0 where it holds none. */
export function escapedWord(escaped: EscapedUnits, from: number, to: number): number {
  let length = 0;
  let isEscaped = false;
  for (let at = from; at < to; at = escaped.next) {
    const unit = escaped.at(at, to);
    if (length === longest || !isOfWord(unit)) return 0;
    isEscaped ||= escaped.units.at(at) === backslash;
    letters[length] = unit;
    length += 1;
  }
  return isEscaped ? wordOf(length) : 0;
}

const [underscore, backslash] = [95, 92];
const isOfWord = (unit: number): boolean => ((unit | 32) >= 97 && (unit | 32) <= 122) || unit === underscore;

/** Of the key that is looked up. */
const letters = new Uint16Array(longest);

/** What the first letters of a key make. */
function wordOf(length: number): number {
  if (length === 0) return 0;
  for (const { text, word } of byShape[shapeOf(length, letters[0] ?? 0)] ?? []) {
    let at = 1;
    while (at < length && letters[at] === text.charCodeAt(at)) at += 1;
    if (at === length) return word;
  }
  return 0;
}
