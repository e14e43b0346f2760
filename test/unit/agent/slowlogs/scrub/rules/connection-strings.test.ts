import assert from 'node:assert/strict';
import { scrubText } from '../../../../../../agent/slowlogs/scrub/scrub-text.js';

const scrubbed = (text: string): string => scrubText(text).text;

describe('user and password of an address', () => {
  it('go if the address is inside another, or follows it', () => {
    for (const text of [
      'https://proxy/redirect?to=https://bob:hunterpass@host/',
      'https://proxy:8080/redirect?to=https%3A%2F%2Fbob%3Ahunterpass%40host%2F',
      'https://a/?q=postgres%3A%2F%2Fbob%3Ahunterpass%40db',
      'amqp://a:5672,amqp://bob:hunterpass@b:5672',
      'http://h:9200,https://bob:hunterpass@h2:9200',
      'source=https://h/p|target=mysql://bob:hunterpass@h2/x',
      'https://eve:x@h/?to=https://bob:hunterpass@host/',
      'http://a/http://b/http://bob:hunterpass@c,http://d/',
    ]) {
      const json = JSON.stringify({ q: { m: text } });
      for (const embedded of [text, json, JSON.stringify(json).slice(1, -1)])
        assert.doesNotMatch(scrubbed(embedded), /bob|hunterpass|eve:x/, embedded);
      assert.doesNotThrow(() => JSON.parse(scrubbed(json)) as unknown);
    }
  });

  it('go if the inner address is cut off', () => {
    for (const text of ['https://a/?to=https://bob:hunterpass', '{"m":"http://h:9200,https://bob:hunterpass'])
      assert.doesNotMatch(scrubbed(text), /bob|hunterpass/);
  });

  it('are not seen in ports and paths', () => {
    for (const text of [
      'http://h:9200,https://h2:9200/_search',
      'https://web.archive.org/web/2020/http://example.org:8080/@news',
      'https://a/?to=https://medium.com/@user:note',
    ])
      assert.equal(scrubbed(text), text);
  });
});

describe('user and password before a server without a scheme', () => {
  it('go in the notations of the drivers that use them', () => {
    for (const [text, left] of [
      [
        'dial root:hunterpass@tcp(10.0.0.1:3306)/shop: timeout',
        'dial [redacted]@tcp(10.0.0.1:3306)/shop: timeout',
      ],
      ['mail a@b,root:p@hunterpass@unix(/tmp/a.sock)/shop', 'mail a@b,[redacted]@unix(/tmp/a.sock)/shop'],
      ['mysql://root:hunterpass@tcp(h:1)/d', 'mysql://[redacted]@tcp(h:1)/d'],
      ['with scott/hunterpass@//db1:1521/ORCL failed', 'with [redacted]@//db1:1521/ORCL failed'],
      ['scott/hunterpass@db1:1521/ORCL', '[redacted]@db1:1521/ORCL'],
      ["scott/'a hunterpass'@(DESCRIPTION=(ADDRESS=", '[redacted]@(DESCRIPTION=(ADDRESS='],
      [
        'a=(scott/hunterpass@tcps://a:1/b),scott/hunterpass@//b',
        'a=([redacted]@tcps://a:1/b),[redacted]@//b',
      ],
    ] as const) {
      const query = JSON.stringify({ query: { match: { m: text } } });
      for (const embedded of [text, query, JSON.stringify({ q: query }), query.slice(0, -5)])
        assert.doesNotMatch(scrubbed(embedded), /hunterpass|root|scott/, embedded);
      assert.equal((JSON.parse(scrubbed(query)) as { query: { match: { m: string } } }).query.match.m, left);
    }
  });

  it('are not seen in a user alone, or in a path', () => {
    for (const text of [
      'root@tcp(h)/db and user:@tcp(h)/db',
      'http://cdn/a@//b',
      'at https://cdn.example/scott/y@h:1521/',
      'db1:1521 and a/b, x@db1:1521',
      'npm/package@1.2 a:b @tcp( c:d @ tcp(',
    ])
      assert.equal(scrubbed(text), text);
  });
});
