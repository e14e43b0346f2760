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

export interface SearchWord {
  /** Channels in which its value names fields. */
  readonly names: number;
  /** Channels in which its value is what is looked for. */
  readonly holds: number;
  /** Below the name of a field it says only how that is searched: what stands under it is looked for in the field. */
  readonly isWrapper: boolean;
}

const listed = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/));

const namesField = listed(
  'name key k field fields default_field use_field header param parameter property label',
);
const namesInScript = listed(
  'source inline query script init_script map_script combine_script reduce_script',
);
const holdsForField = listed(`
  value values val v query secret_value content default data missing include exclude like unlike text prefix regex
  ranges model_text inference_text query_vector_builder
`);
const holdsForBelow = listed('text prefix regex after');
const wrappers = listed(`
  value values query wildcard prefix regexp regex fuzzy term terms match match_phrase text pattern from to gte gt lte lt
  eq include exclude missing like intervals all_of any_of clauses equals contains
`);

const bit = (isSet: boolean, channel: number): number => (isSet ? channel : 0);

const words = new Map<string, SearchWord>(
  [
    ...new Set([
      ...namesField,
      ...namesInScript,
      ...holdsForField,
      ...holdsForBelow,
      ...wrappers,
      'sort',
      'search_after',
      'params',
    ]),
  ].map((word) => [
    word,
    {
      names:
        bit(namesField.has(word), channels.field) |
        bit(word === 'sort', channels.sort) |
        bit(namesInScript.has(word), channels.script),
      holds:
        bit(holdsForField.has(word), channels.field) |
        bit(word === 'search_after', channels.sort) |
        bit(word === 'params', channels.script) |
        bit(holdsForBelow.has(word), channels.below),
      isWrapper: wrappers.has(word),
    },
  ]),
);

const longest = Math.max(...Array.from(words.keys(), ({ length }) => length));

/** What a key of JSON is to a search, null where it is a name of somebody's own. */
export const searchWord = (key: string): SearchWord | null =>
  key.length > longest ? null : (words.get(key) ?? null);
