import assert from 'node:assert/strict';
import { scrubText } from '../../../../../agent/slowlogs/scrub/scrub-text.js';

const scrubbed = (text: string): string => scrubText(text).text;
const escaped = (text: string): string => JSON.stringify(text).slice(1, -1);

const jwt =
  'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwiaWF0IjoxNTE2MjM5MDIyfQ.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c';
const keyBlock = `-----BEGIN RSA PRIVATE KEY-----\n${'MIIEhunterpassBase64\n'.repeat(4)}-----END RSA PRIVATE KEY-----`;
const escapedSigns = (text: string): string => text.replaceAll(/[-+=&|><!(){}[\]^~*?:/. ]/g, '\\$&');

/** The scrubbed text, in each JSON that can contain it. */
function leftOf(text: string): readonly string[] {
  const json = JSON.stringify({ query: { query_string: { query: text } } });
  const left = [json, JSON.stringify({ body: json }), escaped(json)].map(scrubbed);
  assert.doesNotThrow(() => JSON.parse(left[0] ?? '') as unknown, left[0]);
  assert.doesNotThrow(() => JSON.parse(left[1] ?? '') as unknown, left[1]);
  return [scrubbed(text), ...left];
}

describe('a credential is found', () => {
  it('where JSON in a string writes its quotation marks as Unicode escapes', () => {
    const body = JSON.stringify({ password: 'hunterpass', b: { token: [{ a: 'hunterpass' }, 1] } });
    const byNumber = `"${escaped(body).replaceAll('\\"', '\\u0022')}"`;
    for (const text of [
      `{"query":{"match":{"message":${byNumber}}}}`,
      `{"query":{"match":{"message":${JSON.stringify(`{"body":${byNumber}}`)}}}}`,
    ]) {
      const left = scrubbed(text);
      assert.doesNotMatch(left, /hunterpass/);
      assert.match(left, /u0022password\\+u0022:\\+u0022\[redacted\]\\+u0022,/);
      assert.doesNotThrow(() => JSON.parse(left) as unknown, left);
    }
  });

  it('where nginx writes characters of a body as hexadecimal escapes', () => {
    const byNginx = (text: string): string =>
      text.replaceAll('\\', '\\x5C').replaceAll('"', '\\x22').replaceAll('\n', '\\x0A');
    const inner = JSON.stringify({
      password: 'hunterpass',
      b: { token: [{ a: 'hunterpass' }, 1] },
      pin: 4711,
    });
    for (const body of [
      inner,
      JSON.stringify({ body: inner }),
      JSON.stringify({ a: 'password="hunterpass"' }),
    ])
      for (const left of leftOf(`"POST /login HTTP/1.1" 200 "${byNginx(body)}"`))
        assert.doesNotMatch(left, /hunterpass|4711/);
    const behind = `{"password":"a\\\\","title":"harbour"}`;
    assert.equal(scrubbed(byNginx(behind)), byNginx(behind).replace('a\\x5C\\x5C', '[redacted]'));
    for (const text of ['C:\\x22\\x86', 'a {\\x22title\\x22:\\x22harbour\\x22}'])
      assert.equal(leftOf(text)[0], text);
  });

  it('where HTML writes quotation marks as named or numeric entities', () => {
    const body = '{"user":"a","password":"hunterpass","pin":4711,"token":["hunterpass"]}';
    for (const mark of ['&quot;', '&#34;', '&#x22;'])
      for (const left of leftOf(`<div data-state="${body.replaceAll('"', mark)}">`))
        assert.doesNotMatch(left, /hunterpass|4711/, mark);
    for (const left of leftOf('<a password="a&quot;hunterpass" title=x>'))
      assert.doesNotMatch(left, /hunterpass/);
    for (const left of leftOf('password=&#39;hunterpass&apos;')) assert.doesNotMatch(left, /hunterpass/);
    const kept = '<p>Tom &amp; Jerry &lt;3 &quot;cheese&quot; &#169; 2026</p>';
    assert.equal(scrubbed(kept), kept);
  });

  it("where a query in Lucene's syntax escapes special characters", () => {
    for (const text of [
      'message:password\\:hunterpass',
      'url:\\/login\\?user\\=bob\\&password\\=hunterpass',
      'm:postgres\\:\\/\\/bob\\:hunterpass@db\\:5432\\/x',
      'user.password\\.keyword:hunterpass',
      `m:${escapedSigns('Bearer 4f9a1c7bhunterpass0d2e')}`,
      `m:${escapedSigns('xoxb-123456789012-123456789012-hunterpassB7f3Q9xK2mW5zT8c')}`,
      `m:${escapedSigns(keyBlock)}`,
      `m:${escapedSigns('https://bob:hunterpass@host/')}`,
    ])
      for (const left of leftOf(text)) assert.doesNotMatch(left, /hunterpass/, text);
  });

  it('where a regular expression escapes characters, or has character classes', () => {
    for (const text of [
      '.*password\\s*=\\s*hunterpass',
      'password[=:]hunterpass',
      'password[\\s:=]+hunterpass.*',
      '.*https?:\\/\\/bob:hunterpass@host.*',
    ])
      for (const left of leftOf(text)) assert.doesNotMatch(left, /hunterpass/, text);
    for (const left of leftOf(`.*${jwt.replaceAll('.', '\\.')}.*`))
      assert.doesNotMatch(left, /SflKxwRJ|eyJzdWI/);
  });

  it('with the escaped characters inside it', () => {
    for (const text of ['password:hunter\\ pass', 'token:(hunter\\) pass)'])
      for (const left of leftOf(text)) assert.doesNotMatch(left, /hunter|pass\b/, text);
  });

  it('however often it is percent-encoded', () => {
    const encoded = (text: string, times: number): string =>
      times === 0 ? text : encoded(encodeURIComponent(text), times - 1);
    for (const times of [1, 2, 3, 4])
      for (const text of [
        '?password=hunterpass',
        '{"password":"hunterpass"}',
        'Bearer 4f9a1c7bhunterpass0d2e',
        keyBlock,
        'postgres://bob:hunterpass@db/x',
        'DefaultEndpointsProtocol=https;AccountName=a;AccountKey=hunterpass==;EndpointSuffix=core.windows.net',
        'mssql://bob:hunterpass@h:1433/db',
      ])
        for (const left of leftOf(`https://h/?next=${encoded(text, times)}`))
          assert.doesNotMatch(left, /hunterpass/, `${text}, ${times} times`);
  });

  it('right after other letters, if its form is unmistakable', () => {
    for (const text of [
      '_ghp_9fK2mQ7xW3bT8cZ5nR1vL6yH4dJ0pS2gE9aU',
      '__sk_live_4eC39HqLyjWDarjtT1zdp7dcabcd',
      'xAKIAIOSFODNN7EXAMPLQ',
      'xAIzaSyD4f9K2mQ7xW3bT8cZ5nR1vL6yH4dJ0pS2',
      'xxoxb-123456789012-123456789012-aB7f3Q9xK2mW5zT8cR4vN6yL',
    ])
      for (const left of leftOf(text)) assert.ok(!left.includes(text.slice(-16)), left);
  });

  it('in the first letters of a JSON Web Token if JSON was cut off', () => {
    assert.equal(scrubbed('{"m":"see eyJhbGciOi'), '{"m":"see [redacted]');
  });

  it('where a form puts + for a blank', () => {
    for (const text of ['Bearer 4f9a1c7bhunterpass0d2e', keyBlock]) {
      const form = new URLSearchParams({ q: text }).toString();
      for (const left of leftOf(form)) assert.doesNotMatch(left, /hunterpass/, form);
    }
  });
});

describe('what is no credential stays', () => {
  it('if its characters are escaped or encoded', () => {
    for (const text of [
      'path:\\/var\\/log\\/app\\.log AND level:ERROR',
      'C:\\Users\\bob\\secrets.txt',
      '[0-9]+\\.[0-9]+\\s*ms',
      '/search?q=100%2525&page=2',
      'a%2Bb%20c',
    ])
      assert.deepEqual(leftOf(text)[0], text);
  });
});
