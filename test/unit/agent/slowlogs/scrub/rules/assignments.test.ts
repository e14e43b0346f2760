import assert from 'node:assert/strict';
import { scrubText } from '../../../../../../agent/slowlogs/scrub/scrub-text.js';

const scrubbed = (text: string): string => scrubText(text).text;
const escaped = (text: string): string => JSON.stringify(text).slice(1, -1);

describe('a value assigned to a name of a credential', () => {
  it('goes, whatever language assigns it', () => {
    for (const text of [
      'acme_token: |\n  hunter2horse',
      'acme_token: >-\n  hunter2horse',
      'acme_token: |\n  horse\n\n    horse\n  hunter2\nregion: a',
      'acme_token: !vault |\n  horse\n  hunter2',
      'acme_token: !vault hunter2horse',
      'acme_token: &anchor hunter2horse',
      'acme_token = <<EOF\nhunter2horse\nEOF',
      'acme_token <<EOF\na horse\nhunter2\nEOF',
      'token = "a" + "hunter2"',
      "token = 'a' + b() + 'hunter2'",
      'config.put("acme_token", "hunter2horse")',
      "define('ACME_TOKEN', 'hunter2horse');",
      '$acmeToken .= "hunter2horse"',
      'const acmeToken: string = "hunter2horse"',
      'let acme_token: &str = "hunter2horse";',
      'client.setToken("hunter2horse")',
      'token = ("hunter2horse")',
      "token = N'hunter2horse'",
      'token = Secret("hunter2horse")',
      'token = os.getenv("TOKEN", "hunter2horse")',
      'token = process.env.TOKEN || "hunter2horse"',
      'token = given != null ? given : "hunter2horse"',
      'token = given || "" || "hunter2horse"',
      "token == '' || 'hunter2horse'",
      'token = isLive ? "hunter2horse" : "hunter2cow"',
      "token: given != null ? '' : 'hunter2horse'",
      'getenv("TOKEN") or "hunter2horse"',
      "WHERE token <> 'hunter2horse'",
      "WHERE token BETWEEN'a' AND 'hunter2horse'",
      'FROM users | WHERE RLIKE(token, "hunter2horse")',
      'token =~ /hunter2horse/',
      '**token:** hunter2horse',
      '**token**: hunter2horse',
    ])
      for (const embedded of [text, JSON.stringify({ q: text }), escaped(JSON.stringify({ q: text }))])
        assert.doesNotMatch(scrubbed(embedded), /hunter2/, scrubbed(embedded));
  });

  it('goes with all of its group in a search', () => {
    for (const query of [
      'token:(hunter2 OR horse)',
      'token:("hunter2" OR "my horse") AND size:10',
      "auth=('hunter2', 'horse')",
    ]) {
      const text = scrubbed(JSON.stringify({ query_string: { query } }));
      assert.doesNotMatch(text, /hunter2|horse/, text);
      assert.doesNotThrow(() => JSON.parse(text) as unknown);
    }
    assert.ok(scrubbed('token:(hunter2 OR horse) AND size:10').endsWith(') AND size:10'));
  });

  it('goes with all of its group, however deep and long that is and whatever stands behind it', () => {
    for (const query of [
      'token:(hunter2 horse)^2',
      'token:(hunter2 horse)~',
      'token:(hunter2 OR (horse AND battery)) AND size:10',
      'token:(hunter2\n OR horse)',
      `token:(${'hunter2 OR horse OR '.repeat(60)}battery)`,
      'token:("a) hunter2" OR horse)',
      'token:(a\\) OR horse)',
      'token:(hunter2 OR (horse',
      'token:hunter2\\ horse',
    ])
      for (const text of [query, JSON.stringify({ query_string: { query } })]) {
        const once = scrubbed(text);
        assert.doesNotMatch(once, /hunter2|horse|battery/, once);
        assert.equal(scrubbed(once), once);
      }
    assert.ok(scrubbed('token:(hunter2 OR (horse)) AND size:10').endsWith(') AND size:10'));
    assert.equal(scrubbed('token = () => 1'), 'token = () => 1');
  });

  it('goes with the special characters in it if a query has no quotation marks around it', () => {
    for (const value of [
      'abc<sunshine9',
      'abc&b^sunshine9',
      'abc>sunshine9',
      'abc`sunshine9',
      "abc'sunshine9",
      "abc'b<c`sunshine9",
      '/a b sunshine9/',
      '/[^"]+sunshine9/',
      '/a\\/b sunshine9/',
      '/a/b1sunshine9/c=',
      '/abc/sunshine9',
    ])
      for (const query of [`password:${value} AND size:10`, `password:${value} OR a:b AND size:10`])
        for (const text of [query, JSON.stringify({ query }), escaped(JSON.stringify({ query }))]) {
          const once = scrubbed(text);
          assert.doesNotMatch(once, /sunshine/, once);
          assert.match(once, / AND size:10/);
          assert.equal(scrubbed(once), once);
        }
    for (const text of ["'password=abc' said", '<b>password: abc</b>', 'password: abc<br>next'])
      assert.equal(scrubbed(text), text.replace('abc', '[redacted]'));
  });

  it('goes from a suggester, which names its field below its text', () => {
    for (const suggest of [
      { s: { text: 'hunter2', term: { field: 'token' } } },
      { text: 'hunter2', s: { phrase: { field: 'token' } } },
      { s: { prefix: 'hunter2', completion: { field: 'token' } } },
    ])
      assert.doesNotMatch(scrubbed(JSON.stringify({ suggest })), /hunter2/);
  });

  it('goes with every default that it can fall back to', () => {
    for (const text of [
      'token = a || "hunter2" || "horse"',
      "token = env.TOKEN ?? 'hunter2' ?? 'horse', 1",
      'token: a or "hunter2" or "horse"',
    ])
      for (const whole of [text, JSON.stringify({ script: { source: text } })])
        assert.doesNotMatch(scrubbed(whole), /hunter2|horse/, whole);
  });

  it('goes from lists of arguments, of headers and of values', () => {
    for (const text of [
      '{"terms":{"process.args":["mysql","--password","hunter2horse"]}}',
      '{"args":["curl","-u","bob:hunter2","https://example.org"]}',
      '{"args":["/usr/bin/mysql", "-u", "root", "-p", "hunter2horse"]}',
      'process.args : ("--password", "hunter2horse")',
      'process.command_line : "*--password hunter2horse*"',
      '{"wildcard":{"process.command_line":{"wildcard":"*--api-key hunter2horse*"}}}',
      '{"headers":[["Accept","a/b"],["X-Api-Key","hunter2horse"]]}',
      '["X-Api-Key","hunter2-Zk3Qw9Xe7Rt5"]',
      "headers: [(b'host', b'a.b'), (b'x-api-key', b'hunter2horse')]",
      '[("password", "hunter2horse"), ("a", "b")]',
      '[{"x-api-key", "hunter2horse"}, {"host", "a.b"}]',
      "INSERT INTO users (name, password) VALUES ('bob', 'hunter2'), ('ann', 'it''s hunter2)'); SELECT 1",
      'insert into `users` (`name`, `api_key`) values ("bob", "hunter2',
    ])
      for (const embedded of [text, JSON.stringify({ q: text }), escaped(JSON.stringify({ q: text }))]) {
        const once = scrubbed(embedded);
        assert.doesNotMatch(once, /hunter2/, once);
        assert.equal(scrubbed(once), once);
      }
  });

  it('goes from a pair that is cut off', () => {
    for (const cut of ['{"headers":[["X-Api-Key","hunter2horse"', '{"headers":[["X-Api-Key","hunter2horse'])
      assert.doesNotMatch(scrubbed(cut), /hunter2/, cut);
    const kept = '{"fields":["password","username"';
    assert.equal(scrubbed(kept), kept);
  });

  it('is not a port or path argument of a command, nor another value of a row', () => {
    for (const text of [
      '{"process.args":["docker","run","-p","8080:80","-u","1000","nginx"]}',
      '{"process.args":["mkdir","-p","/var/lib/data"]}',
      '["password","username"]',
      'any where a in ("password", "username") and b in ("x", "y")',
      '{"password", "username"}',
      "a.map(('password', 'username'))",
      '{"process.args":["login","--password","--user","bob"]}',
      "INSERT INTO users (name, city) VALUES ('bob', 'Rome')",
    ])
      assert.equal(scrubbed(text), text);
  });

  it('is not seen in a list of names', () => {
    for (const text of [
      '{"fields":["password","name","created_at"],"size":10}',
      '{"_source":["token","user.name"]}',
      'FROM users | KEEP password, name | LIMIT 10',
    ])
      assert.equal(scrubbed(text), text);
  });
});
