import assert from 'node:assert/strict';
import fc from 'fast-check';
import { shapeOf } from '../../../../../agent/slowlogs/scrub/shape.js';
import { runs } from '../../../../support/properties.js';
import { searchWith, type Literals } from './shaped-searches.js';

const shape = (search: object): string => shapeOf(JSON.stringify(search));

describe('the shape of a search', () => {
  const numRuns = runs(2_000);

  it('has no literal, and is the same for searches that differ in literals only', () => {
    const plain: Literals = { text: (at) => `Žq${at}`, number: (at) => at, length: 1 };
    const word = fc.oneof(
      fc.constantFrom('and', 'desc', 'phrase', 'field', 'alice', 'bob@example.com', '_first', 'type', ''),
      fc.string({ unit: 'grapheme', maxLength: 12 }),
    );
    fc.assert(
      fc.property(searchWith(), fc.array(word, { minLength: 1 }), fc.double(), fc.nat(3), (search, words, number, length) => {
        const first = shape(search(plain));
        assert.doesNotMatch(first, /Žq/);
        assert.equal(shape(search({ text: (at) => words[at % words.length] ?? '', number: () => number, length })), first);
      }),
      { numRuns },
    );
  }).timeout(120_000); // prettier-ignore

  const literals: Readonly<Record<string, readonly [object, string]>> = {
    'under a field that is named like an option': [
      { terms: { type: ['alice', 'bob'] } },
      '{"terms":{"type":[?]}}',
    ],
    'under a field that is named like a list of fields': [
      { term: { path: { value: 'alice@example.com' } } },
      '{"term":{"path":{"value":?}}}',
    ],
    'under a field named field': [{ match: { field: 'alice' } }, '{"match":{"field":?}}'],
    'in a filter of a sort': [
      { sort: [{ 'o.at': { order: 'desc', missing: 'alice', nested: { path: 'o', filter: { term: { 'o.user': 'alice' } } } } }] },
      '{"sort":[{"o.at":{"order":"desc","missing":?,"nested":{"path":"o","filter":{"term":{"o.user":?}}}}}]}',
    ],
    'as a key that the caller names': [
      { aggs: { a: { filters: { filters: { 'user: alice': { term: { user: 'alice' } } } } } } },
      '{"aggs":{"a":{"filters":{"filters":{?:{"term":{"user":?}}}}}}}',
    ],
    'as a boolean': [{ term: { a: true } }, '{"term":{"a":?}}'],
    'as the boost of a field': [
      { multi_match: { query: 'x', fields: ['title^3'] } },
      '{"multi_match":{"query":?,"fields":["title^?"]}}',
    ],
    'in a clause that nobody knows': [
      { bool: { must: [{ new_clause: { field: 'alice' } }] } },
      '{"bool":{"must":[{"new_clause":{"field":?}}]}}',
    ],
  }; // prettier-ignore
  for (const [where, [search, expected]] of Object.entries(literals))
    it(`has no literal ${where}`, () => assert.equal(shape(search), expected));

  it('has the names of fields, of aggregations and the words of options', () => {
    for (const [search, expected] of [
      [
        { query: { nested: { path: 'o', score_mode: 'avg', query: { exists: { field: 'o.a' } } } }, _source: { includes: ['a.*'] } },
        '{"query":{"nested":{"path":"o","score_mode":"avg","query":{"exists":{"field":"o.a"}}}},"_source":{"includes":["a.*"]}}',
      ],
      [
        { size: 0, aggs: { brands: { terms: { field: 'brand', size: 5, order: { _count: 'desc' } }, aggs: { m: { avg: { field: 'price' } } } } } },
        '{"size":?,"aggs":{"brands":{"terms":{"field":"brand","size":?,"order":{"_count":"desc"}},"aggs":{"m":{"avg":{"field":"price"}}}}}}',
      ],
      [
        { suggest: { text: 'x', s: { term: { field: 'body' } } }, docvalue_fields: [{ field: 'at', format: 'x' }], sort: ['_score', { at: 'asc' }] },
        '{"suggest":{"text":?,"s":{"term":{"field":"body"}}},"docvalue_fields":[{"field":"at","format":?}],"sort":["_score",{"at":"asc"}]}',
      ],
    ] as const)
      assert.equal(shape(search), expected);
  }); // prettier-ignore

  it('has no name in which a credential is, or may be', () => {
    assert.equal(shape({ exists: { field: 'ghp_Zk3Qw9Xe7Rt5Yu1Io8Pa2Sd4Fg6Hj0Klabcd' } }), '{"exists":{"field":?}}');
    assert.equal(shape({ term: { 'ghp_Zk3Qw9Xe7Rt5Yu1Io8Pa2Sd4Fg6Hj0Klabcd': 'x' } }), '{"term":{?:?}}');
    assert.equal(shape({ term: { 'password=hunter2': 'x' } }), '{"term":{?:?}}');
  }); // prettier-ignore
});
