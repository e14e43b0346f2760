import assert from 'node:assert/strict';
import { scrubText } from '../../../../../agent/slowlogs/scrub/scrub-text.js';

const secret = 'hunter2x';
const pairs = [
  ['attrs.key', 'attrs.value'],
  ['headers.name', 'headers.value'],
  ['labels.k', 'labels.v'],
  ['http.request.header', 'http.request.string_value.keyword'],
  ['attrKey', 'attrValue'],
  ['key', 'value'],
  ['name', 'val'],
] as const;

const both = (clause: (field: string, value: string) => object) => (name: string, value: string) => ({
  bool: { must: [clause(name, 'password'), clause(value, secret)] },
});

const asText = (query: (field: string, value: string) => string) => (name: string, value: string) => ({
  query_string: { query: `${query(name, 'password')} AND ${query(value, secret)}` },
});

/** Searches for a pair, with its name in one clause and its value in another. */
const forms: Readonly<Record<string, (name: string, value: string) => object>> = {
  term: both((field, value) => ({ term: { [field]: { value, boost: 1 } } })),
  'term, short': both((field, value) => ({ term: { [field]: value } })),
  match: both((field, query) => ({ match: { [field]: { query, operator: 'OR' } } })),
  match_phrase: both((field, query) => ({ match_phrase: { [field]: query } })),
  terms: both((field, value) => ({ terms: { [field]: [value, value], boost: 1 } })),
  'nested, value first': (name, value) => ({
    nested: {
      path: name.split('.')[0],
      query: { bool: { must: [{ wildcard: { [value]: { wildcard: secret } } }, { term: { [name]: 'password' } }] } },
    },
  }),
  'must beside filter': (name, value) => ({
    nested: { query: { bool: { must: [{ term: { [name]: 'password' } }], filter: { prefix: { [value]: secret } } } } },
  }),
  'query_string, by name': both((field, value) => ({ query_string: { query: `${field}:${value}` } })),
  'query_string, quoted': both((field, value) => ({ query_string: { query: `a:b AND ${field}:"${value}"` } })),
  'query_string, default_field': both((field, query) => ({ query_string: { query, default_field: field } })),
  'query_string, both in one': asText((field, value) => `${field}:${value}`),
  'query_string, both in one, quoted': asText((field, value) => `+${field}:"${value}"`),
  'intervals in intervals': both((field, query) => ({
    intervals: { [field]: Array.from({ length: 5 }).reduce((rule: object) => ({ any_of: { intervals: [rule] } }), { match: { query } }) },
  })),
  multi_match: both((field, query) => ({ multi_match: { query, fields: [field, 'a^2.0'], type: 'best_fields' } })),
  'a query beside a term': (name, value) => ({
    bool: { must: [{ query_string: { query: `${value}:${secret}` } }, { term: { [name]: 'password' } }] },
  }),
}; // prettier-ignore

const queries: Readonly<Record<string, (name: string, value: string) => string>> = {
  'ES|QL': (name, value) => `FROM a | WHERE ${name} == "password" AND ${value} == "${secret}"`,
  SQL: (name, value) => `SELECT * FROM a WHERE ${value} = '${secret}' AND ${name} = 'password'`,
};

describe('the value of a pair whose name a sibling clause gives', () => {
  for (const [form, search] of Object.entries(forms))
    for (const [name, value] of pairs)
      it(`is replaced: ${form}, ${name}`, () => {
        const whole = JSON.stringify({ query: search(name, value) });
        for (const text of [whole, JSON.stringify({ source: whole })]) {
          const { text: left } = scrubText(text);
          assert.ok(!left.includes(secret), left);
          assert.doesNotThrow(() => JSON.parse(left) as unknown);
          assert.equal(scrubText(left).text, left);
        }
      });

  for (const [language, query] of Object.entries(queries))
    for (const [name, value] of pairs)
      it(`is replaced: ${language}, ${name}`, () => {
        for (const text of [query(name, value), JSON.stringify({ query: query(name, value) })]) {
          const { text: left } = scrubText(text);
          assert.ok(!left.includes(secret), left);
          assert.equal(scrubText(left).text, left);
        }
      });

  it('stays if the name is not that of a credential, or belongs to another pair', () => {
    for (const must of [
      [{ term: { 'attrs.key': 'color' } }, { term: { 'attrs.value': 'red' } }],
      [{ term: { 'attrs.key': 'password' } }, { term: { 'labels.value': 'red' } }],
      [{ term: { attrKey: 'password' } }, { term: { labelValue: 'red' } }],
      [{ term: { key: 'color' } }, { term: { value: 'red' } }],
      [{ term: { key: { value: 'color' } } }, { match: { title: { query: 'password', value: 'red' } } }],
      [{ match: { name: 'password' } }, { match: { content: 'how it is reset' } }],
      [{ term: { key: 'password' } }, { term: { title: { value: 'red' } } }, { range: { a: { from: 1 } } }],
      [{ query_string: { query: 'attrs.key:color AND attrs.value:red' } }],
      [{ multi_match: { query: 'password', fields: ['title', 'body'] } }, { term: { value: 'red' } }],
    ]) {
      const text = JSON.stringify({ query: { bool: { must } } });
      assert.equal(scrubText(text).text, text);
    }
  });
});
