/** The value that a search looks for, and its field. */
export interface Searched {
  readonly field: string;
  readonly value: string | number | boolean;
}

type Search = (searched: Searched) => unknown;

const boosted = { boost: 1.0 };
const many = (field: string): readonly string[] => [
  ...Array.from({ length: 30 }, (_, at) => `title_${at}^1.0`),
  `${field}^2.0`,
];

/** Queries as Elasticsearch writes them to its slow logs, with every default. */
const leafQueries: Readonly<Record<string, Search>> = {
  term: ({ field, value }) => ({ term: { [field]: { value, ...boosted } } }),
  'term, short': ({ field, value }) => ({ term: { [field]: value } }),
  terms: ({ field, value }) => ({ terms: { [field]: ['blue', value], ...boosted } }),
  terms_set: ({ field, value }) => ({
    terms_set: { [field]: { terms: [value], minimum_should_match_field: 'n', ...boosted } },
  }),
  match: ({ field, value }) => ({
    match: { [field]: { query: value, operator: 'OR', prefix_length: 0, lenient: false, ...boosted } },
  }),
  'match, its query last': ({ field, value }) => ({ match: { [field]: { operator: 'OR', query: value } } }),
  match_phrase: ({ field, value }) => ({
    match_phrase: { [field]: { query: value, slop: 0, zero_terms_query: 'NONE', ...boosted } },
  }),
  match_phrase_prefix: ({ field, value }) => ({
    match_phrase_prefix: { [field]: { query: value, slop: 0, max_expansions: 50 } },
  }),
  match_bool_prefix: ({ field, value }) => ({ match_bool_prefix: { [field]: { query: value } } }),
  prefix: ({ field, value }) => ({ prefix: { [field]: { value, ...boosted } } }),
  wildcard: ({ field, value }) => ({ wildcard: { [field]: { wildcard: value, ...boosted } } }),
  regexp: ({ field, value }) => ({
    regexp: { [field]: { value, flags_value: 255, max_determinized_states: 10_000, ...boosted } },
  }),
  fuzzy: ({ field, value }) => ({
    fuzzy: { [field]: { value, fuzziness: 'AUTO', transpositions: true, ...boosted } },
  }),
  'range of 7.x': ({ field, value }) => ({
    range: { [field]: { from: value, to: null, include_lower: true, include_upper: true, ...boosted } },
  }),
  'range of 8.x': ({ field, value }) => ({ range: { [field]: { gte: 'a', lte: value, ...boosted } } }),
  span_term: ({ field, value }) => ({
    span_near: { clauses: [{ span_term: { [field]: { value, ...boosted } } }], slop: 0, in_order: true },
  }),
  field_masking_span: ({ field, value }) => ({
    field_masking_span: { query: { span_term: { a: { value, ...boosted } } }, field, ...boosted },
  }),
  intervals: ({ field, value }) => ({
    intervals: { [field]: { match: { query: value, max_gaps: -1, ordered: false }, ...boosted } },
  }),
  'intervals of another field': ({ field, value }) => ({
    intervals: { text: { all_of: { intervals: [{ match: { query: value, use_field: field } }] } } },
  }),
  'intervals, fuzzy in another field': ({ field, value }) => ({
    intervals: { text: { fuzzy: { term: value, transpositions: true, use_field: field } } },
  }),
  distance_feature: ({ field, value }) => ({ distance_feature: { field, origin: value, pivot: '7d' } }),
  multi_match: ({ field, value }) => ({
    multi_match: { query: value, fields: ['title^1.0', `${field}^1.0`], type: 'best_fields', slop: 0 },
  }),
  'multi_match in many fields': ({ field, value }) => ({
    multi_match: { query: value, fields: many(field), type: 'best_fields', operator: 'OR', ...boosted },
  }),
  'multi_match, its fields first': ({ field, value }) => ({
    multi_match: { fields: many(field), type: 'best_fields', query: value },
  }),
  combined_fields: ({ field, value }) => ({
    combined_fields: { query: value, fields: [`${field}^1.0`], operator: 'OR', ...boosted },
  }),
  'query_string of a field': ({ field, value }) => ({
    query_string: { query: value, default_field: field, fields: [], type: 'best_fields', ...boosted },
  }),
  'query_string of fields': ({ field, value }) => ({
    query_string: { query: value, fields: many(field), type: 'best_fields', escape: false, ...boosted },
  }),
  simple_query_string: ({ field, value }) => ({
    simple_query_string: { query: value, fields: [`${field}^1.0`], flags: -1, default_operator: 'or' },
  }),
  more_like_this: ({ field, value }) => ({
    more_like_this: { fields: [field], like: [value], max_query_terms: 25, min_term_freq: 2 },
  }),
  'more_like_this of a document': ({ field, value }) => ({
    more_like_this: { like: [{ _index: 'i', doc: { [field]: value } }], min_term_freq: 1 },
  }),
  percolate: ({ field, value }) => ({
    percolate: { field: 'query', documents: [{ a: 1, [field]: value }] },
  }),
  'script and its parameters': ({ field, value }) => ({
    script: {
      script: {
        source: `doc['${field}'].value.contains(params.wanted)`,
        lang: 'painless',
        params: { wanted: value },
      },
      ...boosted,
    },
  }),
  'script of SQL, its field among the parameters': ({ field, value }) => ({
    script: {
      script: {
        source: 'InternalQlScriptUtils.eq(InternalQlScriptUtils.docValue(doc,params.v0),params.v1)',
        lang: 'painless',
        params: { v0: field, v1: value },
      },
    },
  }),
  nested: ({ field, value }) => ({
    nested: {
      query: { bool: { filter: [{ term: { [`headers.${field}`]: { value, ...boosted } } }] } },
      path: 'headers',
      inner_hits: { ignore_unmapped: false, size: 3, from: 0 },
    },
  }),
  'name and value of a pair': ({ field, value }) => ({
    nested: {
      query: { bool: { must: [{ term: { 'header.name': { value: field } } }] } },
      document: { name: field, value },
    },
  }),
};

const inBool = (query: unknown): unknown => ({
  bool: {
    filter: [{ term: { status: { value: 'open', ...boosted } } }, query],
    adjust_pure_negative: true,
    ...boosted,
  },
});

/** Parts of a search other than its query. */
const wholeSearches: Readonly<Record<string, Search>> = {
  search_after: ({ field, value }) => ({
    sort: [{ '@timestamp': { order: 'desc' } }, { [field]: { order: 'asc' } }],
    search_after: [1_763_700_000_000, value],
  }),
  'search_after before its sort': ({ field, value }) => ({
    search_after: [value],
    sort: [{ [field]: { order: 'asc', missing: '_last' } }],
  }),
  'search_after of a field by its name': ({ field, value }) => ({ sort: [field], search_after: [value] }),
  post_filter: ({ field, value }) => ({ post_filter: { term: { [field]: { value } } } }),
  collapse: ({ field, value }) => ({
    query: { match: { [field]: { query: value } } },
    collapse: { field, inner_hits: { name: 'last', size: 1 } },
  }),
  'terms aggregation': ({ field, value }) => ({
    aggregations: {
      by: {
        terms: { field, size: 10, shard_size: -1, order: [{ _count: 'desc' }], include: [value] },
        aggregations: { n: { value_count: { field: 'a' } } },
      },
    },
  }),
  'missing of an aggregation': ({ field, value }) => ({
    aggregations: { by: { cardinality: { missing: value, field } } },
  }),
  'filters aggregation': ({ field, value }) => ({
    aggregations: {
      by: { filters: { filters: { x: { term: { [field]: { value, ...boosted } } } }, other_bucket: false } },
    },
  }),
  'range aggregation': ({ field, value }) => ({
    aggregations: { by: { ip_range: { field, ranges: [{ from: value }, { key: 'a', to: value }] } } },
  }),
  'multi_terms aggregation': ({ field, value }) => ({
    aggregations: { by: { multi_terms: { terms: [{ field: 'a' }, { field, missing: value }] } } },
  }),
  'composite aggregation': ({ field, value }) => ({
    aggregations: {
      by: {
        composite: { size: 10, sources: [{ it: { terms: { field, order: 'asc' } } }], after: { it: value } },
      },
    },
  }),
  scripted_metric: ({ field, value }) => ({
    aggregations: {
      by: {
        scripted_metric: {
          params: { wanted: value },
          map_script: { source: `state.n += doc['${field}'].value == params.wanted ? 1 : 0` },
        },
      },
    },
  }),
  runtime_mappings: ({ field, value }) => ({
    runtime_mappings: { [field]: { type: 'keyword', script: { source: `emit('${value}')` } } },
  }),
  suggest: ({ field, value }) => ({ suggest: { text: value, s: { term: { field, size: 5 } } } }),
  completion: ({ field, value }) => ({ suggest: { s: { prefix: value, completion: { field } } } }),
  kNN: ({ field, value }) => ({
    knn: [{ field: 'v', query_vector: [0.1, 0.2], filter: [{ term: { [field]: { value } } }], k: 5 }],
  }),
  'kNN by text': ({ field, value }) => ({
    knn: { field, query_vector_builder: { text_embedding: { model_id: 'm', model_text: value } } },
  }),
  retriever: ({ field, value }) => ({
    retriever: { standard: { query: { match: { [field]: { query: value } } } } },
  }),
  reranker: ({ field, value }) => ({
    retriever: { text_similarity_reranker: { field, inference_text: value } },
  }),
  rescore: ({ field, value }) => ({
    rescore: [{ window_size: 10, query: { rescore_query: { match: { [field]: { query: value } } } } }],
  }),
  highlight: ({ field, value }) => ({
    highlight: { fields: { a: { highlight_query: { term: { [field]: { value } } } } } },
  }),
  document: ({ field, value }) => ({ a: [{ b: [[{ [field]: [value] }]] }] }),
};

/** Searches of every kind for a value. */
export const searches: ReadonlyMap<string, Search> = new Map([
  ...Object.entries(leafQueries).map(([kind, query]): [string, Search] => [
    kind,
    (searched) => ({ from: 0, size: 10, query: inBool(query(searched)), track_total_hits: 10_000 }),
  ]),
  ...Object.entries(wholeSearches).map(([kind, search]): [string, Search] => [
    kind,
    (searched) => ({ size: 10, ...(search(searched) as object), _source: false }),
  ]),
]);

type Query = (searched: Searched) => string;

const quoted = (value: Searched['value']): string =>
  typeof value === 'string' ? `"${value}"` : String(value);

/** Queries that are texts: Lucene, ES|QL, EQL and SQL, and scripts. */
export const queries: Readonly<Record<string, Query>> = {
  'query string': ({ field, value }) => `status:open AND ${field}:${quoted(value)} AND size:10`,
  'query string, group': ({ field, value }) => `${field}:(blue OR ${quoted(value)})^2 AND size:10`,
  'query string, range': ({ field, value }) => `${field}:[${quoted(value)} TO *] AND size:10`,
  'query string, greater': ({ field, value }) => `${field}:>=${quoted(value)} AND size:10`,
  'ES|QL': ({ field, value }) => `FROM users | WHERE ${field} == ${quoted(value)} | LIMIT 10`,
  'ES|QL, turned': ({ field, value }) => `FROM users | WHERE ${quoted(value)} == ${field} | LIMIT 10`,
  'ES|QL, unequal': ({ field, value }) => `FROM users | WHERE ${field} != ${quoted(value)} | LIMIT 10`,
  'ES|QL, greater': ({ field, value }) => `FROM users | WHERE ${field} >= ${quoted(value)} | LIMIT 10`,
  'ES|QL, less': ({ field, value }) => `FROM users | WHERE ${field} < ${quoted(value)} | LIMIT 10`,
  'ES|QL, list': ({ field, value }) => `FROM users | WHERE ${field} IN ("blue", ${quoted(value)}) | LIMIT 10`,
  'ES|QL, on several lines': ({ field, value }) =>
    `FROM users\n| WHERE ${field}\n    == ${quoted(value)}\n| LIMIT 10`,
  'ES|QL, list on several lines': ({ field, value }) =>
    `FROM users\n| WHERE ${field}\n  IN (\n    "blue",\n    ${quoted(value)}\n  )`,
  'ES|QL, LIKE': ({ field, value }) => `FROM users | WHERE ${field} LIKE "${value}*" | LIMIT 10`,
  'ES|QL, RLIKE': ({ field, value }) => `FROM users | WHERE NOT ${field} RLIKE "${value}.*" | LIMIT 10`,
  'ES|QL, colon': ({ field, value }) => `FROM users | WHERE ${field} : ${quoted(value)} | LIMIT 10`,
  'ES|QL, MATCH': ({ field, value }) => `FROM users | WHERE MATCH(${field}, ${quoted(value)}) | LIMIT 10`,
  'ES|QL, STARTS_WITH': ({ field, value }) => `FROM users | WHERE STARTS_WITH(${field}, "${value}")`,
  'ES|QL, QSTR': ({ field, value }) => `FROM users | WHERE QSTR("${field}:${value}") | LIMIT 10`,
  'ES|QL, function': ({ field, value }) => `FROM users | WHERE TO_LOWER(${field}) == ${quoted(value)}`,
  'ES|QL, conversion': ({ field, value }) => `FROM users | WHERE ${field}::keyword == ${quoted(value)}`,
  'ES|QL, quoted name': ({ field, value }) => `FROM users | WHERE \`${field}\` == ${quoted(value)}`,
  'ES|QL, three marks': ({ field, value }) => `FROM users | WHERE ${field} == """${value}""" | LIMIT 10`,
  'ES|QL, ROW': ({ field, value }) => `ROW ${field} = ${quoted(value)}, a = 1`,
  'ES|QL, EVAL': ({ field, value }) => `FROM users | EVAL ok = ${field} == ${quoted(value)}`,
  EQL: ({ field, value }) => `process where ${field} == ${quoted(value)} and a == 1`,
  'EQL, colon': ({ field, value }) => `process where ${field} : ${quoted(value)} and a == 1`,
  'EQL, list': ({ field, value }) => `process where ${field} : ("blue", ${quoted(value)})`,
  'EQL, in~': ({ field, value }) => `process where ${field} in~ ("blue", ${quoted(value)})`,
  'EQL, like~': ({ field, value }) => `process where ${field} like~ "${value}*"`,
  'EQL, function': ({ field, value }) => `process where stringContains(${field}, ${quoted(value)})`,
  'EQL, function in any case': ({ field, value }) => `process where endsWith~(${field}, "${value}")`,
  SQL: ({ field, value }) => `SELECT a FROM users WHERE ${field} = '${value}' AND b = 1`,
  'SQL, list': ({ field, value }) => `SELECT a FROM users WHERE ${field} NOT IN ('blue', '${value}')`,
  'SQL, BETWEEN': ({ field, value }) => `SELECT a FROM users WHERE ${field} BETWEEN '${value}' AND 'b'`,
  'SQL, MATCH': ({ field, value }) => `SELECT a FROM users WHERE MATCH(${field}, '${value}')`,
  Painless: ({ field, value }) => `return doc['${field}'].value == '${value}' ? 1 : 0`,
  'Painless, turned': ({ field, value }) => `return '${value}' == doc['${field}'].value ? 1 : 0`,
  'Painless, equals': ({ field, value }) => `doc["${field}"].value.equals("${value}")`,
  'Painless, equals turned': ({ field, value }) => `'${value}'.equals(doc['${field}'].value)`,
  'Painless, source': ({ field, value }) => `params._source['${field}'] == '${value}'`,
  'Painless, field with a default': ({ field, value }) => `$('${field}', '') == '${value}'`,
  'Painless, field with a default, turned': ({ field, value }) => `'${value}' == $('${field}', '')`,
  'Painless, compareTo': ({ field, value }) => `doc['${field}'].value.compareTo('${value}') > 0`,
  'Painless, indexOf': ({ field, value }) => `doc['${field}'].value.indexOf('${value}') > 0`,
  'Painless, Objects': ({ field, value }) => `Objects.equals(doc['${field}'].value, '${value}')`,
  'Painless, list': ({ field, value }) => `return ['blue', '${value}'].contains(doc['${field}'].value)`,
  'ES|QL, MV_CONTAINS': ({ field, value }) => `FROM users | WHERE MV_CONTAINS(${field}, "${value}")`,
  'SQL, AS': ({ field, value }) => `SELECT a, '${value}' AS ${field} FROM users`,
  'ES|QL, ENDS_WITH of a function': ({ field, value }) =>
    `FROM a | WHERE ENDS_WITH(TO_LOWER(${field}), "${value}")`,
  'ES|QL, MV_CONTAINS of a list': ({ field, value }) => `FROM a | WHERE MV_CONTAINS(${field}, ["${value}"])`,
  'EQL, regex': ({ field, value }) => `process where ${field} regex "${value}.*"`,
  'SQL, CAST': ({ field, value }) => `SELECT a FROM users WHERE CAST(${field} AS VARCHAR) = '${value}'`,
  'SQL, COALESCE': ({ field, value }) => `SELECT a FROM users WHERE COALESCE(${field},'') = '${value}'`,
  'SQL, SUBSTRING': ({ field, value }) => `SELECT a FROM users WHERE SUBSTRING(${field}, 1, 30) = '${value}'`,
  'SQL, CONCAT': ({ field, value }) => `SELECT a FROM users WHERE CONCAT(${field},'x') = '${value}'`,
  'Painless, element': ({ field, value }) => `return doc['${field}'][0] == '${value}'`,
  'Painless, lower case': ({ field, value }) =>
    `doc['${field}'].value.toLowerCase(Locale.ROOT) == '${value}'`,
  'Painless, substring': ({ field, value }) => `doc['${field}'].value.substring(0, 30) == '${value}'`,
  'Painless, asked for null': ({ field, value }) => `return doc['${field}'].value?.equals('${value}')`,
  'Painless, field': ({ field, value }) => `field('${field}').get('') == '${value}'`,
};
