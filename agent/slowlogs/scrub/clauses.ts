import { stringsIn, type JsonGroup, type JsonMember, type JsonNode } from './json.js';
import { remembered, type Says } from './names.js';

/** What is known about a value: what its name says, that name, and the rule by which it is its name. */
export interface Said {
  readonly says: Says;
  readonly name: string;
  readonly rule: string;
  /** Whether it applies to everything below. */
  readonly isDeep: boolean;
}

export const nothing: Said = { says: 'none', name: '', rule: '', isDeep: false };

export const listed = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/));

/** Below the name of a field these only say how the field is searched: the values under them belong to the field. */
export const wrappers = listed(`
  value values query wildcard prefix regexp regex fuzzy term terms match match_phrase text pattern from to gte gt lte lt
  eq include exclude missing like intervals all_of any_of clauses equals contains
`);

/** Options of a search: nothing under them is a searched value. */
export const options = listed(`
  boost operator default_operator slop fuzziness prefix_length max_expansions minimum_should_match analyzer relation
  minimum_should_match_field zero_terms_query lenient type tie_breaker rewrite flags flags_value format time_zone order
  max_determinized_states case_insensitive auto_generate_synonyms_phrase_query fuzzy_transpositions transpositions
  include_lower include_upper ordered max_gaps in_order size shard_size min_doc_count missing_order mode unmapped_type
  numeric_type score_mode ignore_unmapped lang fixed_interval calendar_interval number_of_fragments fragment_size
`);

/** The caller names the members of these: their keys are not fields. */
export const namedByCaller = listed('aggs aggregations query_vector suggest filters tokens');

const fieldKeys = listed(`
  name Name id key Key k field fields default_field use_field header param parameter property label
  attribute column displayName fieldName field_name propertyName property_name columnName column_name
`);
const valueKeys = listed(`
  value Value values Values val v pattern query secret_value content default data missing include exclude like unlike text
  prefix regex ranges model_text inference_text query_vector_builder term origin newValue oldValue new_value old_value
`);
const scriptKeys = listed(
  'source inline query script id init_script map_script combine_script reduce_script params',
);
const suggesterTexts = listed('text prefix regex');
const relating = new Set([...fieldKeys, ...scriptKeys, ...suggesterTexts, 'search_after', 'after', 'kty']);

const rank: Readonly<Record<Says, number>> = { none: 0, vendor: 1, weak: 2, strong: 3 };

/** `password^2.0` */
export const withoutBoost = (field: string): string => field.replace(/\^[\d.]+$/, '');

/** Classifies the names of fields by what they say about their values. */
export interface NameClassifier {
  readonly says: (name: string) => Says;
  /** Whether a text is such a name and nothing else. */
  readonly isName: (text: string) => boolean;
  /** Names that only mean something next to others. */
  readonly isNearby: (name: string) => boolean;
}

/**
 * The most certain classification of these names. If none has one, the first name that only means something
 * next to others.
 */
function strongest(names: Iterable<string>, rule: string, classifier: NameClassifier): Said {
  let most = nothing;
  for (const written of names) {
    const name = withoutBoost(written);
    const says = classifier.says(name);
    if (says === 'none' && most === nothing && classifier.isNearby(name))
      most = { says, name, rule, isDeep: true };
    if (rank[says] > rank[most.says]) most = { says, name, rule, isDeep: true };
    if (says === 'strong') break;
  }
  return most;
}

type Give = (node: JsonNode, said: Said) => void;

/** Names of fields, and the members next to them that are their values. */
interface Beside {
  readonly names: readonly string[];
  readonly values: readonly JsonMember[];
}

/** Finds the members of an object whose name is the value of another member. */
export function relate(group: JsonGroup, classifier: NameClassifier, give: Give): Beside | null {
  if (group.kind !== 'object' || !group.members.some(({ key }) => key !== null && relating.has(key.value)))
    return null;
  const under = (...keys: readonly string[]): readonly JsonMember[] =>
    group.members.filter(({ key }) => key !== null && keys.includes(key.value));
  const hold = (values: readonly JsonMember[], rule: string, names: () => readonly string[]): void => {
    const said = values.length === 0 ? nothing : strongest(names(), rule, classifier);
    if (said !== nothing) for (const { value } of values) give(value, said);
  };
  const beside = besideNames(group);
  hold(beside?.values ?? [], 'value beside its name', () => beside?.names ?? []);
  relateScript(group, classifier, give);
  hold(under('search_after'), 'search_after of a sort by it', () => namesUnder(under('sort'), () => true));
  hold(under('after'), 'after of an aggregation by it', () => namesUnder(under('sources'), isField));
  if (under('kty').length > 0)
    for (const { value } of under('d', 'k', 'p', 'q', 'dp', 'dq', 'qi')) give(value, privatePart);
  const others = group.members.filter(({ key }) => key === null || !suggesterTexts.has(key.value));
  hold(under(...suggesterTexts), 'text of a suggester', () => namesUnder(others, isField));
  return beside;
}

/** Of a JSON Web Key (RFC 7518, 6). */
const privatePart: Said = { says: 'strong', name: 'kty', rule: 'private part of a web key', isDeep: true };

/** `{"query":…,"fields":["password^1.0"]}`, `{"name":"password","value":…}`, in any order. */
function besideNames({ members }: JsonGroup): Beside | null {
  const naming = members.filter(
    ({ key, value }) => key && fieldKeys.has(key.value) && value.kind !== 'object',
  );
  if (naming.length === 0) return null;
  const names = naming.flatMap(({ value }) =>
    Array.from(stringsIn(value, 2), (text) => text.value).filter(isName),
  );
  const listsFields = naming.some(({ key }) => key?.value === 'fields');
  const values = members.filter(
    ({ key, value }) =>
      key && valueKeys.has(key.value) && !(listsFields && key.value === 'query' && value.kind === 'object'), // it names its own fields
  );
  return { names, values };
}

/** The name of a field, perhaps in two words; prose is none. */
const isName = (text: string): boolean => text.length <= 120 && /^\S+(?: \S+)?$/.test(text);

/** Parameters of a script or a query that takes a credential, `doc['password'].value == params.x`. */
function relateScript({ members }: JsonGroup, classifier: NameClassifier, give: Give): void {
  const params = members.find(({ key }) => key?.value === 'params')?.value;
  if (params === undefined || params.kind === 'scalar') return;
  const scripts = members.filter(({ key }) => key && key.value !== 'params' && scriptKeys.has(key.value));
  const words = scripts.flatMap(({ value }) =>
    Array.from(stringsIn(value, 2)).flatMap((script) => script.value.match(wordOfScript) ?? []),
  );
  const fields = Array.from(stringsIn(params, 2), (text) => text.value).filter((text) =>
    nameInParams.test(text),
  );
  const said = strongest([...words, ...fields], 'parameter of a script', classifier);
  if (said === nothing) return;
  if (params.kind === 'string') give(params, said);
  else
    for (const { value } of params.members)
      if (value.kind !== 'string' || !classifier.isName(value.value)) give(value, said);
}

const wordOfScript = /[A-Za-z_][\w.#-]{1,120}/g;
/** A parameter can name the field in which another one is searched: `doc[params.f].value == params.x`. */
const nameInParams = /^[\w.@#-]{2,120}$/;

const isField = (key: string): boolean => key === 'field' || key === 'fields';

/** Names of fields within members: strings under keys that name fields and, if all keys do, the keys too. */
function namesUnder(
  members: readonly JsonMember[],
  namesFields: (key: string) => boolean,
): readonly string[] {
  const names: string[] = [];
  const everywhere = namesFields('');
  const visit = (node: JsonNode, key: string, levels: number): void => {
    if (node.kind === 'string') {
      if (namesFields(key)) names.push(node.value);
    } else if (node.kind !== 'scalar' && levels > 0)
      for (const member of node.members) {
        if (everywhere && member.key !== null) names.push(member.key.value);
        visit(member.value, member.key?.value ?? key, levels - 1);
      }
  };
  for (const { key, value } of members) visit(value, key?.value ?? '', 5);
  return names;
}

/** Fields of nested pairs: the field of a pair's name, that of its value, and which of them belong together. */
export interface PairField {
  readonly path: string;
  readonly isName: boolean;
}

/** After a path (`attrs.key`), in one word with it (`attrKey`), or alone, unless texts are often named so. */
const pairForm = (words: string): RegExp => {
  const spelt = words.split(' ').flatMap((word) => [word, capital(word), word.toUpperCase()]);
  return new RegExp(
    String.raw`^(?<path>.*?(?:[._]|[a-z\d](?=[A-Z]))|(?!data|content|string))(?:${spelt.join('|')})(?:\.\w+)?$`,
  );
};
const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
const pairName = pairForm('name key k header attribute property param label');
const pairValue = pairForm('value values val v data content string string_value stringValue');
const knownPair = remembered((field): PairField | null => {
  const name = pairName.exec(field)?.groups?.['path'];
  const path = name ?? pairValue.exec(field)?.groups?.['path'];
  return path === undefined ? null : { path, isName: name !== undefined };
});

/**
 * The part of a field in a pair whose name and value are searched in two clauses: `attrs.key`, `attrs.value`.
 * Without a path, `key` and `value` are also words of searches: they are a pair only if a clause names its
 * field there.
 */
export function pairField(field: string, isSure: boolean): PairField | null {
  if (field.length > 200) return null;
  const pair = knownPair(field);
  return pair?.path === '' && !isSure ? null : pair;
}

/** Clauses of a search whose key names their field. */
export const clausesOfKeys = listed(
  'term match match_phrase match_phrase_prefix match_bool_prefix prefix wildcard regexp fuzzy span_term intervals range',
);
const namedBehind = listed('value v val query');
const namesOwnFields = /[\w)\]"'][ \t]{0,4}[:=<>|]|^\s*(?:from|select|show|row)\s/i;

/**
 * For an object that has lost its end, the texts whose field might have been named after the cut:
 * `{"query":"…","fields":["password"]}`. Queries with a language of their own name their fields.
 */
export function unnamedTexts(group: JsonGroup): readonly JsonNode[] {
  if (!group.isOpen || group.kind !== 'object') return [];
  const isNamed = group.members.some(
    ({ key, value }) =>
      key && fieldKeys.has(key.value) && value.end < group.end && !(value.kind !== 'scalar' && value.isOpen),
  );
  if (isNamed) return [];
  return group.members.flatMap(({ key, value }) =>
    key &&
    namedBehind.has(key.value) &&
    value.kind === 'string' &&
    !namesOwnFields.test(value.value.slice(0, 4_096))
      ? [value]
      : [],
  );
}
