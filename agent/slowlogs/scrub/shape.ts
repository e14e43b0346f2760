import { clausesOfKeys, listed } from './clauses.js';
import { readJson, type JsonGroup, type JsonMember, type JsonNode, type JsonString } from './json.js';
import { scrubName } from './scrub-text.js';

/** The replacement of a literal. */
const literal = '?';

/**
 * What a node of a search is. Strings of `names` and `sort` name fields, those of `sorted` and `options` can
 * be words of the language; all others are literals. `opaque`: nothing is known about it. `literal`: its keys
 * are literals too.
 */
type Kind =
  | 'search'
  | 'clauses'
  | 'parameters'
  | 'fields'
  | 'value'
  | 'options'
  | 'names'
  | 'sort'
  | 'sorted'
  | 'orders'
  | 'aggregations'
  | 'aggregation'
  | 'filters'
  | 'labelled'
  | 'sources'
  | 'suggesters'
  | 'suggester'
  | 'highlight'
  | 'highlighted'
  | 'opaque'
  | 'literal';

/** What the members of a node are, by their keys. */
type Members = ReadonlyMap<string | null, Kind>;

const members = (others: Kind, words: Partial<Record<Kind, string>> = {}): Members =>
  new Map<string | null, Kind>([
    [null, others],
    ...Object.entries(words).flatMap(([kind, keys]) =>
      Array.from(listed(keys), (key): [string, Kind] => [key, kind as Kind]),
    ),
  ]);

/** Clauses whose keys are fields, in addition to those that the scrubber knows. */
const otherClausesOfKeys =
  'terms terms_set geo_distance geo_bounding_box geo_polygon geo_shape geo_grid shape text_expansion weighted_tokens neural';

const clauses = members('opaque', {
  fields: [...clausesOfKeys, otherClausesOfKeys].join(' '),
  parameters: `
    bool boosting constant_score dis_max hybrid function_score script_score script nested has_child has_parent pinned rule
    exists multi_match query_string simple_query_string combined_fields more_like_this distance_feature rank_feature knn
    sparse_vector semantic percolate span_near span_or span_not span_first span_multi span_containing span_within
    field_masking_span standard rrf linear text_similarity_reranker
  `,
  clauses: 'retriever rescore_query',
});

const grammar: Readonly<Record<Kind, Members>> = {
  search: new Map([
    ...clauses,
    ...members('opaque', {
      clauses: 'query post_filter filter retriever',
      names: '_source fields stored_fields docvalue_fields',
      parameters: 'collapse rescore knn',
      aggregations: 'aggs aggregations',
      sort: 'sort',
      suggesters: 'suggest',
      highlight: 'highlight',
      literal: 'params',
    }),
  ]),
  clauses,
  parameters: members('options', {
    clauses: `
      query filter must should must_not queries positive negative organic little big match include exclude clauses
      no_match_query background_filter retriever retrievers
    `,
    names: 'field fields default_field path',
    parameters: `
      functions field_value_factor random_score script_score script nested terms metrics value weight a b point
    `,
    fields: 'gauss linear exp',
    search: 'inner_hits',
    sort: 'sort',
    orders: 'order',
    sources: 'sources',
    literal: 'params document documents like unlike query_vector tokens after contexts collate',
  }),
  fields: members('value'),
  value: members('options', { literal: 'query_vector tokens' }),
  options: members('options', { literal: 'params query_vector tokens' }),
  names: members('opaque', { names: 'field includes excludes include exclude' }),
  sort: members('sorted', { fields: '_geo_distance' }),
  sorted: members('options', { parameters: 'nested script' }),
  orders: members('sorted'),
  aggregations: members('aggregation'),
  aggregation: members('parameters', {
    aggregations: 'aggs aggregations',
    clauses: 'filter',
    filters: 'filters adjacency_matrix',
    search: 'top_hits',
    literal: 'meta',
  }),
  filters: members('options', { labelled: 'filters' }),
  labelled: members('clauses'),
  sources: members('aggregation'),
  suggesters: members('suggester', { opaque: 'text' }),
  suggester: members('opaque', { parameters: 'term phrase completion' }),
  highlight: members('options', { clauses: 'highlight_query', highlighted: 'fields' }),
  highlighted: members('highlight'),
  opaque: members('opaque', { literal: 'params query_vector tokens document documents' }),
  literal: members('literal'),
};

/** Only what looks like a name is shown as one: any other text can contain a literal. */
const nameForm = /^[\p{L}\p{M}\p{N}_.@#*/+-]{1,64}(?:\^[\d.]+)?$/u;
const boost = /\^[\d.]+$/;
const directions = listed('asc desc');
/** Options whose values are only words of the language, whatever is searched; then those words. */
const options = listed(
  'operator default_operator type order mode score_mode boost_mode relation rewrite zero_terms_query lang',
);
const words = listed(`
  and or AND OR asc desc min max avg sum median none all NONE ALL first multiply replace constant_score
  best_fields most_fields cross_fields phrase phrase_prefix bool_prefix painless expression
  intersects within contains disjoint INTERSECTS WITHIN CONTAINS DISJOINT
`);
/** In these, an empty list has the shape of a list of literals. */
const holdsLiterals: ReadonlySet<Kind> = new Set(['value', 'options', 'opaque']);
/** Shorter names contain no credential. */
const credentialAtLeast = 16;

/**
 * A search without any literal: its structure, the names of its fields and the words of its options. Searches that
 * differ only in their values, lists of any length included, have the same shape. Text that is no JSON is a literal.
 */
export function shapeOf(search: string): string {
  const root = /^\s*[{[]/.test(search) ? readJson(search) : null;
  return root === null ? literal : shapeOfNode(root, 'search', '');
}

function shapeOfNode(node: JsonNode, kind: Kind, key: string): string {
  if (kind === 'literal' || node.kind === 'scalar') return literal;
  if (node.kind === 'string') return stays(node, kind, key) ? shapeOfName(node.value) : literal;
  return node.kind === 'object' ? shapeOfObject(node, kind) : shapeOfList(node, kind, key);
}

const shapeOfObject = ({ members }: JsonGroup, kind: Kind): string =>
  `{${members.map((member) => shapeOfMember(member, kind)).join(',')}}`;

function shapeOfMember({ key, value }: JsonMember, kind: Kind): string {
  if (key === null) return shapeOfNode(value, 'opaque', '');
  const shape = shapeOfNode(
    value,
    grammar[kind].get(key.value) ?? grammar[kind].get(null) ?? 'opaque',
    key.value,
  );
  return `${kind === 'labelled' ? literal : shapeOfName(key.value)}:${shape}`;
}

/** A list's shape has each different shape of its elements once. */
function shapeOfList({ members }: JsonGroup, kind: Kind, key: string): string {
  if (members.length === 0) return holdsLiterals.has(kind) ? `[${literal}]` : '[]';
  const elements = members.map(({ value }) =>
    shapeOfNode(value, kind === 'labelled' ? 'clauses' : kind, key),
  );
  return `[${[...new Set(elements)].join(',')}]`;
}

/** Whether a string is the name of a field, or a word of the language. */
function stays({ value, isOpen }: JsonString, kind: Kind, key: string): boolean {
  if (isOpen) return false;
  if (kind === 'names' || kind === 'sort') return true;
  if (kind === 'sorted') return directions.has(value);
  return kind === 'options' && options.has(key) && words.has(value);
}

function shapeOfName(name: string): string {
  const isName = nameForm.test(name);
  if (!isName || (name.length >= credentialAtLeast && scrubName(name).replacements.length > 0))
    return literal;
  return JSON.stringify(name.replace(boost, `^${literal}`));
}
