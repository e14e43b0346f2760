import fc from 'fast-check';

/** The literals of a search by their position, and the length of its lists. */
export interface Literals {
  text(at: number): string;
  number(at: number): number;
  readonly length: number;
}

/** A search without its literals. */
type Template = (literals: Literals) => object;

/** Field names that are also keywords of searches, and others. */
const field = fc.oneof(
  fc.constantFrom(
    'type', 'mode', 'lang', 'field', 'fields', 'path', 'sort', 'operator', 'order', 'format', 'default_field', 'query', 'filter',
    'term', 'terms', 'match', 'value', 'params', 'nested', 'includes', '_source', 'aggs', 'script', 'range', 'exists',
  ),
  fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 8 }),
  fc.constantFrom('user.name', 'attrs.key', '@timestamp'),
); // prettier-ignore

type Clause = (field: string, given: Given, inner: Template) => object;

/** Returns one literal at a time. */
class Given {
  private at = 0;
  constructor(readonly literals: Literals) {}
  get text(): string {
    return this.literals.text((this.at += 1));
  }
  get number(): number {
    return this.literals.number((this.at += 1));
  }
  get list(): readonly string[] {
    return Array.from({ length: this.literals.length }, () => this.text);
  }
}

const clauses: readonly Clause[] = [
  (name, given) => ({ term: { [name]: given.text } }),
  (name, given) => ({ term: { [name]: { value: given.text, boost: given.number } } }),
  (name, given) => ({ terms: { [name]: given.list, boost: given.number } }),
  (name, given) => ({ terms: { [name]: { index: given.text, id: given.text, path: given.text } } }),
  (name, given) => ({ terms_set: { [name]: { terms: given.list, minimum_should_match_field: given.text } } }),
  (name, given) => ({ match: { [name]: given.text } }),
  (name, given) => ({ match: { [name]: { query: given.text, operator: 'AND', fuzziness: given.text } } }),
  (name, given) => ({ match_phrase: { [name]: { query: given.text, slop: given.number } } }),
  (name, given) => ({ range: { [name]: { gte: given.text, lt: given.number, format: given.text } } }),
  (name, given) => ({ prefix: { [name]: given.text } }),
  (name, given) => ({ wildcard: { [name]: { wildcard: given.text } } }),
  (name, given) => ({ intervals: { [name]: { all_of: { intervals: [{ match: { query: given.text } }] } } } }),
  (name, given) => ({ geo_distance: { distance: given.text, [name]: given.list } }),
  (name, given) => ({ multi_match: { query: given.text, fields: [name], type: 'best_fields' } }),
  (name, given) => ({ query_string: { query: given.text, default_field: name } }),
  (name, given) => ({ more_like_this: { fields: [name], like: [given.text, { _id: given.text }] } }),
  (name, given) => ({ percolate: { field: name, document: { [name]: given.text } } }),
  (name, given) => ({ knn: { field: name, query_vector: [given.number], k: given.number } }),
  (name, given) => ({ sparse_vector: { field: name, query_vector: { [`x${given.text}`]: given.number } } }),
  (name, given) => ({ distance_feature: { field: name, origin: given.text, pivot: given.text } }),
  (name) => ({ exists: { field: name } }),
  (name, given) => ({ span_near: { clauses: [{ span_term: { [name]: given.text } }], slop: given.number } }),
  (_, given) => ({ ids: { values: given.list } }),
  (_, given) => ({ wrapper: { query: given.text } }),
  (name, given) => ({ new_clause: { [name]: given.text, field: given.text, type: given.text } }),
  (name, given) => ({ script: { script: { source: given.text, params: { [given.text]: { [name]: given.text } } } } }),
  (_, given, inner) => ({ bool: { must: [inner(given.literals)], filter: inner(given.literals) } }),
  (name, given, inner) => ({ nested: { path: name, query: inner(given.literals), score_mode: 'avg' } }),
  (name, given, inner) => ({
    function_score: {
      query: inner(given.literals),
      functions: [{ filter: inner(given.literals), weight: given.number }, { gauss: { [name]: { origin: given.text } } }],
    },
  }),
]; // prettier-ignore

const parts: readonly Clause[] = [
  (_, { literals }, inner) => ({ query: inner(literals), post_filter: inner(literals) }),
  (name, given, inner) => ({
    sort: [name, { [name]: 'desc' }, { [name]: { missing: given.text, nested: { path: name, filter: inner(given.literals) } } }],
    search_after: [given.text],
  }),
  (name, given) => ({
    aggs: {
      [name]: { terms: { field: name, size: given.number, missing: given.text, include: given.text, order: { _count: 'desc' } } },
    },
  }),
  (name, given, inner) => ({
    aggs: {
      [name]: {
        filters: { filters: { [given.text]: inner(given.literals) } },
        aggs: { a: { filter: inner(given.literals) } },
      },
    },
  }),
  (name, given) => ({
    aggs: { c: { composite: { sources: [{ [name]: { terms: { field: name } } }], after: { [name]: given.text } } } },
  }),
  (name, given) => ({
    aggregations: { r: { range: { field: name, ranges: [{ key: given.text, from: given.number }] }, meta: { [name]: given.text } } },
  }),
  (name, given) => ({ suggest: { text: given.text, s: { prefix: given.text, completion: { field: name } } } }),
  (name, given, inner) => ({
    highlight: { pre_tags: given.list, fields: { [name]: { highlight_query: inner(given.literals) } } },
  }),
  (name, given) => ({
    runtime_mappings: { [name]: { type: 'keyword', script: { source: given.text } } },
    docvalue_fields: [{ field: name, format: given.text }],
    _source: { includes: [name] },
  }),
  (_, given, inner) => ({ rescore: { query: { rescore_query: inner(given.literals) } }, pit: { id: given.text } }),
  (_, { literals }, inner) => inner(literals),
]; // prettier-ignore

const clause: fc.Arbitrary<Template> = fc.letrec<{ clause: Template }>((tie) => ({
  clause: fc
    .tuple(
      fc.constantFrom(...clauses),
      field,
      fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        fc.constant<Template>(() => ({ match_all: {} })),
        tie('clause'),
      ),
    )
    .map(
      ([made, name, inner]): Template =>
        (literals) =>
          made(name, new Given(literals), inner),
    ),
})).clause;

/** Searches with many clauses and sections. */
export const searchWith = (): fc.Arbitrary<Template> =>
  fc.tuple(fc.constantFrom(...parts), field, clause).map(
    ([part, name, inner]): Template =>
      (literals) =>
        part(name, new Given(literals), inner),
  );
