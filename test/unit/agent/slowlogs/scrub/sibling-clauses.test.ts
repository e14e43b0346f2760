import assert from 'node:assert/strict';
import { scrubText } from '../../../../../agent/slowlogs/scrub/scrub-text.js';

const secret = 'hunter2x';
const pairs = [
  ['attrs.key', 'attrs.value'],
  ['headers.name', 'headers.value'],
  ['labels.k', 'labels.v'],
  ['http.request.header', 'http.request.string_value.keyword'],
] as const;

const both = (clause: (field: string, value: string) => object) => (name: string, value: string) => ({
  bool: { must: [clause(name, 'password'), clause(value, secret)] },
});

/** How a search looks for a pair, its name in one clause and its value in another. */
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
}; // prettier-ignore

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

  it('stays where the name is none of a credential', () => {
    const text = JSON.stringify({
      bool: { must: [{ term: { 'attrs.key': 'color' } }, { term: { 'attrs.value': 'red' } }] },
    });
    assert.equal(scrubText(text).text, text);
  });
});
