import assert from 'node:assert/strict';
import { scrubText } from '../../../../../../agent/slowlogs/scrub/scrub-text.js';

const scrubbed = (text: string): string => scrubText(text).text;

/** Asserts what is left of an address in each surrounding that it can have. */
function assertLeft(address: string, left: string): void {
  for (const around of [
    (text: string) => text,
    (text: string) => `GET ${text} HTTP/1.1`,
    (text: string) => JSON.stringify({ query: { match: { url: text } }, size: 10 }),
    (text: string) => JSON.stringify({ body: JSON.stringify({ url: text }) }),
  ]) {
    const once = scrubbed(around(address));
    assert.equal(once, around(left));
    assert.equal(scrubbed(once), once);
  }
}

describe('a value in an address', () => {
  it('goes with its percent-encoded characters', () => {
    for (const value of [
      'correct horse battery',
      'Tr0ub4&dor?9',
      'a"b',
      "abc'd",
      'a<b>c',
      'a\nb',
      '"a" b',
      '{a: 1}',
    ])
      for (const name of ['password', 'user%5Bpassword%5D', 'user[password]'])
        assertLeft(`/a?x=1&${name}=${encodeURIComponent(value)}&y=2`, `/a?x=1&${name}=[redacted]&y=2`);
  });

  it('goes to the end of the line if it can contain blanks', () => {
    assert.doesNotMatch(scrubbed('/a?cookie=a%3Cb%22%20sunshine'), /sunshine/);
  });

  it('ends at a character that is encoded as often as the one after its name', () => {
    assertLeft('/a?q=password%3Aab%20AND%20a%3Ab', '/a?q=password%3A[redacted]%20AND%20a%3Ab');
    assertLeft(
      '/a?next=%2Fb%3Fpassword%3Da%2520b%26c%3Dd&e=f',
      '/a?next=%2Fb%3Fpassword%3D[redacted]%26c%3Dd&e=f',
    );
  });

  it('goes if it is a JSON object, list or number', () => {
    for (const [value, left] of [
      [{ value: 'sunshine9z' }, '[redacted]'],
      [['a', { b: 'sunshine9z' }], '[redacted]'],
      [4711, '[redacted]'],
      [null, 'null'],
    ] as const)
      assertLeft(
        `/a?filter=${encodeURIComponent(JSON.stringify({ password: value, b: 1 }))}&x=1`,
        `/a?filter=%7B%22password%22%3A${left}%2C%22b%22%3A1%7D&x=1`,
      );
  });

  it('goes if its name can have several values', () => {
    for (const name of ['password[]', 'password%5B%5D', 'user[password][]', 'tokens[]'])
      assertLeft(
        `/a?b=c&${name}=sunshine&${name}=shade&x=1`,
        `/a?b=c&${name}=[redacted]&${name}=[redacted]&x=1`,
      );
  });
});
