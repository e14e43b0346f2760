import assert from 'node:assert/strict';
import { scrubText } from '../../../../../../agent/slowlogs/scrub/scrub-text.js';

const scrubbed = (text: string): string => scrubText(text).text;
const escaped = (text: string): string => JSON.stringify(text).slice(1, -1);

/** Ways in which a query gets into a scrubbed text. */
const embeddings: readonly ((query: string) => string)[] = [
  (query) => query,
  (query) => JSON.stringify({ query: { query_string: { query } } }),
  (query) => JSON.stringify({ body: JSON.stringify({ script: { source: query } }), a: 'b' }),
  (query) => escaped(JSON.stringify({ query, columnar: false })),
  (query) => `took[1ms], source[${JSON.stringify({ query })}], id[], `,
  (query) => `/search?q=${encodeURIComponent(query)}`,
];

describe('a value in quotation marks', () => {
  it('goes with the quotation marks inside it', () => {
    for (const [query, left] of [
      ['password:"a\\"b sunshine9" AND a:b', 'password:"[redacted]" AND a:b'],
      ['password:"\\"b\\" sunshine9" AND a:b', 'password:"[redacted]" AND a:b'],
      ['password:"sunshine\\\\\\"9" AND a:"b"', 'password:"[redacted]" AND a:"b"'],
      ["doc['password'].value == 'it\\'s-sunshine9' && a", "doc['password'].value == '[redacted]' && a"],
      ["a WHERE password = 'O''Brien-sunshine9' AND a = 'b'", "a WHERE password = '[redacted]' AND a = 'b'"],
      ["a WHERE password = 'sunshine9''' AND a = 'b'", "a WHERE password = '[redacted]' AND a = 'b'"],
      ["a WHERE password = '' AND a = 'b'", "a WHERE password = '' AND a = 'b'"],
      ['| WHERE password == "ab\\"sunshine9" | LIMIT 10', '| WHERE password == "[redacted]" | LIMIT 10'],
      ["a WHERE 'O''Brien-sunshine9' = password AND a = 'b'", "a WHERE '[redacted]' = password AND a = 'b'"],
      ['| WHERE "ab\\"sunshine9" == password', '| WHERE "[redacted]" == password'],
      ["'it\\'s-sunshine9'.equals(doc['password'].value)", "'[redacted]'.equals(doc['password'].value)"],
      ["f('', 'sunshine9') == a && '' == password", "f('', 'sunshine9') == a && '' == password"],
      ["password = 'a' + 'it\\'s sunshine9' + 'b', 1", "password = '[redacted]', 1"],
    ] as const)
      for (const embed of embeddings) {
        const once = scrubbed(embed(query));
        assert.equal(once, embed(left).replaceAll('%5Bredacted%5D', '[redacted]'));
        assert.equal(scrubbed(once), once);
      }
  });

  it('ends at a quotation mark after an escaped backslash', () => {
    for (const embed of embeddings) {
      const left = scrubbed(embed('password:"sunshine9\\\\" AND a:"b"'));
      assert.doesNotMatch(left, /sunshine/);
      assert.match(left, /AND(?: |%20)a/);
    }
  });

  it('goes with the quotation marks inside it, even if it was cut off', () => {
    for (const query of [
      'password:"a\\"b sunshine9',
      "password == 'it\\'s sunshine9",
      "a WHERE password = 'O''Brien sunshine9",
    ])
      for (const text of [JSON.stringify({ query }), JSON.stringify({ body: JSON.stringify({ query }) })])
        assert.doesNotMatch(scrubbed(text.slice(0, text.indexOf('sunshine9') + 9)), /sunshine/);
  });

  it('goes if it starts with a character of JSON syntax', () => {
    for (const [query, left] of [
      ['password:":sunshine9" AND a:b', 'password:"[redacted]" AND a:b'],
      ['password:"}sunshine9" AND a:b', 'password:"[redacted]" AND a:b'],
      ["doc['password'].value == ':sunshine9'", "doc['password'].value == '[redacted]'"],
      ["a WHERE password = ', Tr0ub4dor9' AND a = 'b'", "a WHERE password = '[redacted]' AND a = 'b'"],
      ['| WHERE password == "],sunshine9" | LIMIT 10', '| WHERE password == "[redacted]" | LIMIT 10'],
    ] as const)
      for (const embed of embeddings)
        assert.equal(scrubbed(embed(query)), embed(left).replaceAll('%5Bredacted%5D', '[redacted]'));
  });

  it('is not seen if the quotation mark ends the JSON string that contains its name', () => {
    for (const json of [
      '{"a":"password=","b":"c"}',
      '{"a":"password: ", "b":[1]}',
      '{"a":[{"b":"password="}],"c":"d"}',
      '{"c":{"d":"token = "}}',
    ])
      for (const text of [json, escaped(json), JSON.stringify({ body: json }), `source[${json}], id[]`])
        assert.equal(scrubbed(text), text);
  });
});
