import assert from 'node:assert/strict';
import { scrubText } from '../../../../../agent/slowlogs/scrub/scrub-text.js';
import { opaque } from '../../../../../agent/slowlogs/opaque-ids.js';
import { withoutIds as scrubIds } from '../../../../../agent/slowlogs/scrub/searched-ids.js';

const withoutIds = (text: string, key: string): string => scrubIds(text, key).text;

const sought = 'bob@example.org';
const generated = 's01HZ2QBk9jw4gtgaFtn';
const hidden = opaque(sought, 'key');

/** Clauses whose key for a document id is an ordinary field name elsewhere. */
const clauses: readonly object[] = [
  { parent_id: { type: 'answer', id: sought, ignore_unmapped: false, boost: 1 } },
  { bool: { must: [{ has_child: { type: 'c', query: { parent_id: { id: sought, type: 'c' } } } }] } },
  { pinned: { organic: { match_all: { boost: 1 } }, ids: [sought, generated], boost: 1 } },
  { pinned: { organic: { ids: { values: [sought] } }, ids: [generated, sought] } },
  { percolate: { field: 'q', index: 'i', id: sought, version: 1 } },
  { geo_shape: { place: { indexed_shape: { id: sought, index: 's', path: 'l' }, relation: 'within' } } },
  { terms: { user: { index: 'users', id: sought, path: 'followers' }, boost: 1 } },
  { terms: { boost: 1, _name: 'friends', id: { id: sought, index: 'users', path: 'followers' } } },
];

const queries = clauses.map((query) => JSON.stringify({ size: 10, query, sort: [{ at: 'desc' }] }));
const indented = clauses.map((query) => JSON.stringify({ query }, null, 2));

describe('the id of a document that a clause of a search names', () => {
  it('is replaced in JSON, indented too, and in JSON escaped within JSON', () => {
    for (const query of [...queries, ...indented])
      for (const text of [
        query,
        JSON.stringify({ q: query }),
        JSON.stringify([{ q: JSON.stringify({ query }) }]),
      ]) {
        const left = withoutIds(text, 'key');
        assert.equal(left, text.replaceAll(sought, hidden));
        assert.equal(scrubText(left).text, left);
      }
  });

  it('is replaced after an id that is JSON itself', () => {
    const search = JSON.stringify({ query: { ids: { values: ['{"user":"x"}', sought] } } });
    const left = withoutIds(search, 'key');
    assert.ok(!left.includes('bob') && left.includes(hidden), left);
  });

  it('is replaced as far as it was logged if the search was cut off', () => {
    for (const query of queries)
      for (const text of [query, JSON.stringify({ q: query })])
        for (let end = text.indexOf(sought) + 3; end < text.length; end += 1)
          assert.ok(!withoutIds(text.slice(0, end), 'key').includes('bob'), text.slice(0, end));
  });

  it('is replaced if it is a number, or is written with escapes', () => {
    const number = opaque('4711', 'key');
    assert.equal(
      withoutIds('{"parent_id":{"type":"answer","id":4711}}', 'key'),
      `{"parent_id":{"type":"answer","id":"${number}"}}`,
    );
    assert.equal(
      withoutIds('{"pinned":{"ids":["bob\\u0040example.org"]}}', 'key'),
      `{"pinned":{"ids":["${hidden}"]}}`,
    );
  });

  it('is not sought in plain fields of the same names', () => {
    for (const text of [
      '{"query":{"term":{"id":{"value":"bob"}}}}',
      '{"query":{"terms":{"id":["bob","4"],"boost":1.0}}}',
      '{"query":{"terms":{"ids":["bob","4"]}}}',
      '{"query":{"bool":{"filter":[{"terms":{"a":["x"]}},{"match":{"id":{"query":"bob"}}}]}}}',
      '{"terms":["a"],"user":{"id":"bob"}}',
      '{"terms":{},"user":{"id":"bob"}}',
      '{"id":"bob","user":{"id":"bob","path":"/home"},"ids":["bob"]}',
      '{"aggs":{"x":{"terms":{"field":"user","order":{"id":"desc"}}}}}',
      '{"aggs":{"x":{"terms":{"order":{"id":"desc"},"field":"user"}}}}',
      '{"script":{"id":"by-name"},"slice":{"id":0,"max":2}}',
    ])
      assert.equal(withoutIds(text, 'key'), text);
  });
});

describe('the id of a document that a script looks for', () => {
  it('is replaced if a parameter names its field', () => {
    const search = (params: object): string =>
      JSON.stringify({
        query: { script: { script: { source: 'doc[params.v0].value == params.v1', params } } },
      });
    assert.equal(withoutIds(search({ v0: '_id', v1: sought }), 'key'), search({ v0: '_id', v1: hidden }));
    assert.ok(!withoutIds(search({ v0: '_id', v1: 'order#17' }), 'key').includes('order'));
    const other = search({ v0: 'mail', v1: sought });
    assert.equal(withoutIds(other, 'key'), other);
  });
});
