import assert from 'node:assert/strict';
import fc from 'fast-check';
import { formatKey, newKeyId, newSecret } from '../../../../../http-edge/keys/key-format.js';
import { scrubText } from '../../../../../agent/slowlogs/scrub/scrub-text.js';

const scrubbed = (text: string): string => scrubText(text).text;
const escaped = (text: string): string => JSON.stringify(text).slice(1, -1);

describe('a value under a credential-shaped key', () => {
  it('is replaced whole, at any depth, whatever it is', () => {
    assert.equal(
      scrubbed('{"connectionString":"x","db_conn_string":"x y"}'),
      '{"connectionString":"[redacted]","db_conn_string":"[redacted]"}',
    );
    assert.equal(
      scrubbed(
        '{"a":[{"userPassword":"x","b":1}],"API-KEY":12345,"auth":{"c":["d",{"e":"f"}]},"token":null}',
      ),
      '{"a":[{"userPassword":"[redacted]","b":1}],"API-KEY":"[redacted]","auth":"[redacted]","token":null}',
    );
  });

  it('is replaced in a search, however the search names its field', () => {
    const secret = 'correct horse';
    for (const query of [
      { match: { password: { query: secret } } },
      { terms: { 'user.api_key': [secret, secret] } },
      { multi_match: { query: secret, fields: ['password^1.0'], type: 'best_fields' } },
      { query_string: { default_field: 'secret', query: secret } },
      { more_like_this: { fields: ['password'], like: [secret], unlike: secret } },
      { terms: { field: 'token', missing: secret, size: 10 } },
      {
        terms: {
          field: 'token',
          size: 10,
          min_doc_count: 1,
          show_term_doc_count_error: false,
          order: [{ _count: 'desc' }, { _key: 'asc' }],
          include: secret,
          exclude: [secret],
        },
      },
      { script: { source: `doc['token'].value == '${secret}'` } },
      { script: { source: `doc['password.keyword'].value.equals("${secret}")` } },
      { script: { source: `params.password.startsWith('${secret}')` } },
      { script: { source: `doc['password'].value ==~ /${secret.slice(-5)}.*/` } },
      { nested: { path: 'h', query: { name: 'Authorization', value: secret } } },
      { query_string: { query: `password:"${secret}" AND user:bob` } },
    ]) {
      const text = scrubbed(JSON.stringify({ query }));
      assert.ok(!text.includes('horse'), text);
      assert.doesNotThrow(() => JSON.parse(text) as unknown, text);
    }
  });

  it('is replaced if it is a number that comes before its name or is an argument', () => {
    for (const query of [
      'FROM users | WHERE 73190255 == password',
      'FROM users | WHERE MATCH(password, 73190255)',
      'process where stringContains(user.password, 73190255)',
    ])
      assert.ok(!scrubbed(query).includes('73190255'), query);
    const ordinary = 'FROM users | WHERE 73190255 == price | WHERE MATCH(year, 2026)';
    assert.equal(scrubbed(ordinary), ordinary);
  });

  it('is replaced where wildcards stand in the name of its field', () => {
    const secret = 'correct-horse';
    for (const query of [
      { multi_match: { query: secret, fields: ['*.password'] } },
      { multi_match: { query: secret, fields: ['title', '*password^2.0'] } },
      { multi_match: { query: secret, fields: ['user.*.password*'] } },
      { multi_match: { query: secret, fields: ['*token*'] } },
      { multi_match: { query: secret, fields: ['secrets.*'] } },
      { query_string: { query: secret, default_field: '*.secret' } },
      { query_string: { query: `secrets.\\*:${secret} AND a:b` } },
      { query_string: { query: `credentials.\\*:"${secret}"` } },
      { query_string: { query: `auth.\\*:(blue OR ${secret})` } },
    ]) {
      const text = scrubbed(JSON.stringify({ query }));
      assert.ok(!text.includes('horse'), text);
      assert.doesNotThrow(() => JSON.parse(text) as unknown, text);
    }
    for (const fields of [['*'], ['title*'], ['*.author'], ['pass.*.name']]) {
      const text = JSON.stringify({ query: { multi_match: { query: secret, fields } } });
      assert.equal(scrubbed(text), text);
    }
  });

  it('is replaced under names in other languages, and in pairs with other spellings', () => {
    for (const json of [
      { contraseña: 'hunterpass' },
      { 'user.Contraseña.keyword': 'hunterpass' },
      { пароль: 'hunterpass' },
      { parola: 'hunterpass' },
      { 'user.lösenord': 'hunterpass' },
      { jelszó: 'hunterpass' },
      { 密码: 'hunterpass' },
      { 用户密碼: 'hunterpass' },
      { パスワード: 'hunterpass' },
      { 비밀번호: 'hunterpass' },
      { term: { clave: { value: 'Zk3Qw9Xe7Rt5Yu1Io8Pa' } } },
      { Key: 'password', Value: 'hunterpass' },
      { id: 'password', val: 'hunterpass' },
      { changes: [{ attribute: 'password', oldValue: null, newValue: 'hunterpass' }] },
      { displayName: 'API key', old_value: ['hunterpass'], new_value: { v: 'hunterpass' } },
      { field: 'password', pattern: 'hunterpass' },
      { script: { id: 'check_password', params: { v: 'hunterpass' } } },
    ])
      for (const text of [JSON.stringify(json), escaped(JSON.stringify(json))])
        assert.doesNotMatch(scrubbed(text), /hunterpass|Zk3Q/, scrubbed(text));
    const kept =
      '{"changes":[{"attribute":"title","newValue":"a"}],"clave":"A-4711","palabra_clave":"zapatos","script":{"id":"rank","params":{"v":2}}}';
    assert.equal(scrubbed(kept), kept);
  });

  it('is replaced in JSON that was cut off, inside the value or behind it', () => {
    assert.equal(scrubbed('{"q":{"password":"hunt'), '{"q":{"password":"[redacted]');
    assert.equal(scrubbed('{"q":{"password":{"value":"hunter2","bo'), '{"q":{"password":"[redacted]"');
    assert.equal(scrubbed('{"q":{"password":"hunter2","b'), '{"q":{"password":"[redacted]","b');
  });

  it('is replaced with the quotation marks that are inside it', () => {
    for (const depth of [0, 1, 2, 3]) {
      let text = JSON.stringify({ password: 'a"b\\"c\\', next: 'kept' });
      for (let level = 0; level < depth; level += 1) text = JSON.stringify({ inner: text });
      let read: unknown = JSON.parse(scrubbed(text));
      for (let level = 0; level < depth; level += 1) read = JSON.parse((read as { inner: string }).inner);
      assert.deepEqual(read, { password: '[redacted]', next: 'kept' });
    }
  });

  it('is replaced in plain text, query strings, code and markup', () => {
    for (const text of [
      'login failed password=hunter2 for bob',
      'GET /a?x=1&api_key=hunter2&y=2',
      'GET /a?x=1%26api_key%3Dhunter2%26y%3D2',
      'the token: hunter2',
      "$config['secret'] => 'hunter2';",
      'DB_PASSWORD := "hunter2"',
      'tool --password hunter2 --verbose',
      '--password hunter2 --verbose',
      "FROM users | WHERE password LIKE 'hunter2%'",
      "SELECT * FROM users WHERE password NOT IN ('hunter2', 'my hunter2') AND name IN ('bob')",
      'FROM users | WHERE token in ("hunter2")',
      '<password>hunter2</password>',
      '<entry name="password" value="hunter2"/>',
      'Authorization: Digest username="bob", response="hunter2"',
      'Server=db;User Id=sa;Pwd=hunter2;',
      'admin_token=hunter2',
      'password_base64: hunter2',
      'the password is hunter2, they said',
      "mysql -p'hunter2' shop",
      'mysqldump -u root -phunter2 shop',
      'sshpass -p hunter2 ssh db',
      'docker login -u bob -p hunter2 example.com',
      'the api key 5hunter2hunter2 is used',
    ]) {
      assert.ok(!scrubbed(text).includes('hunter2'), text);
      assert.ok(!scrubbed(escaped(JSON.stringify({ q: text }))).includes('hunter2'), text);
    }
  });

  it('is replaced if it only starts like a variable; a variable itself stays', () => {
    for (const text of ['password:"$ecret2024"', 'DB_PASSWORD=$Winter2026', '?password=$ummer1'])
      assert.match(scrubbed(text), /\[redacted\]/, text);
    for (const text of ['password=$DB_PASSWORD_2', 'password=$password', 'pass=$1'])
      assert.equal(scrubbed(text), text);
  });

  it('is replaced after JSON, and in text that only starts like JSON', () => {
    for (const [text, left] of [
      ['{"a":1} password=hunter2\n{"b":2}', '{"a":1} password=[redacted]\n{"b":2}'],
      [
        '{"password":"x"}\npassword=hunter2\n{"a":[1]}',
        '{"password":"[redacted]"}\npassword=[redacted]\n{"a":[1]}',
      ],
      ['{a: "x", password: hunter2}', '{a: "x", password: [redacted]}'],
    ] as const)
      for (const [before, after] of [
        [text, left],
        [escaped(text), escaped(left)],
      ] as const) {
        const { text: once, replacements } = scrubText(before);
        assert.equal(once, after);
        assert.equal(replacements.length, once.split('[redacted]').length - 1);
        assert.equal(scrubbed(once), once);
      }
  });

  it('is replaced under a key that is written with escapes', () => {
    assert.equal(scrubbed('{"\\tPW": 123}'), '{"\\tPW": "[redacted]"}');
    assert.equal(scrubbed('{"\\u0070assword":[1,true]}'), '{"\\u0070assword":"[redacted]"}');
  });

  it('ends with the string that contains it', () => {
    assert.equal(
      scrubbed(`{"a":"password = '","b":"it's","c":1,"token":"x"}`),
      `{"a":"password = '","b":"it's","c":1,"token":"[redacted]"}`,
    );
  });

  it('is not seen under a key that is only similar', () => {
    for (const text of [
      '{"max_tokens":100,"author":"ann","tokenizer":"standard","public_key":"abc","keyword":"x","passage":"y"}',
      '{"aggregations":{"by":{"terms":{"order":[{"_count":"desc"},{"_key":"asc"}]}}}}',
      '{"session":"12","key":"blue","keys":["a"],"credentialsId":"backup"}',
    ]) {
      assert.equal(scrubbed(text), text);
    }
  });
});

describe('a credential', () => {
  const body = 'Zk3Qw9Xe7Rt5Yu1Io8Pa2Sd4Fg6Hj0Kl';
  const credentials: Readonly<Record<string, string>> = {
    'JSON Web Token': `${Buffer.from('{"alg":"HS256"}').toString('base64url')}.${Buffer.from('{"sub":"1"}').toString('base64url')}.${body}`,
    'bearer token': `Bearer ${body}`,
    'basic authentication': `Basic ${Buffer.from('bob:hunter2').toString('base64')}`,
    'key of AWS': `AKIAQ3X7ZP5LKD2M9RTB`,
    'key of Google': `AIzaSy${body}a`,
    'secret of Azure': `a1b8Q~${body}ab`,
    'key of Alibaba': 'LTAI5tBq7Rm3Kx9Wz2Yc',
    'key of Alibaba without a digit': 'LTAIiQWiLuLeuNjnGMacvasg',
    'token of GitHub': `ghp_${body}abcd`,
    'token of GitLab': `glpat-${body.slice(0, 20)}`,
    'token of Slack': `xoxb-123456789012-123456789012-${body.slice(0, 24)}`,
    'key of Stripe': `sk_live_${body.slice(0, 24)}`,
    'user and password': 'postgres://bob:hunter2@db.example.com:5432/a',
    'password with signs': 'redis://:p/w?x@y@db.example.com',
    'hook of Slack': `https://hooks.slack.com/services/T00000000/B00000000/${body.slice(0, 24)}`,
    'key of Elasticsearch': Buffer.from('VuaCfGcBCdbkQm-e5aOx:ui2lp2axTNmsyakw9tvNnw').toString('base64'),
    'pair of Elasticsearch, as it is': 'VuaCfGcBCdbkQm-e5aOx:ui2lp2axTNmsyakw9tvNnw',
    'token of a service account of Elasticsearch': Buffer.from(
      `\0\u0001\0\u0001elastic/fleet-server/token1:${body.slice(0, 22)}`,
    ).toString('base64'),
    'key of Telltale': `tt_abcdefghij23_${body}${body.slice(0, 11)}`,
    'hash of bcrypt': `$2b$12$${body}${body.slice(0, 21)}`,
    'hash of argon2': `$argon2id$v=19$m=65536,t=3,p=4$${body.slice(0, 22)}$${body}`,
    'key of Resend': `re_${body.slice(0, 8)}_${body.slice(0, 24)}`,
    'key of Anthropic': `sk-ant-api03-${body.repeat(3)}`,
    'token of nobody known': `acme_live_${body}`,
    'token of HubSpot': 'pat-na1-7d444840-9dc0-41d1-b245-5ffdce74fad2',
    'token of PASETO': `v4.local.${body}${body}`,
    'secret of Databricks': 'dosea1b2c3d4e5f60718293a4b5c6d7e8f90',
    'key of Ably': `${body.slice(0, 6)}.${body.slice(4, 10)}:${body}${body.slice(0, 11)}`,
    'server key of Firebase': `AAAA${body.slice(0, 7)}:APA91b${body}${body}`,
    'hash of Django': `pbkdf2_sha256$600000$${body.slice(0, 22)}$${body}${body.slice(0, 11)}=`,
    'hash of MySQL': '*2470C0C06DEE42FD1618BB99005ADCA2EC9D1E19',
  };

  for (const [name, credential] of Object.entries(credentials)) {
    it(`goes wherever it stands: ${name}`, () => {
      const secret = /hunter2|p\/w|[^:/@ ]{16,}$/.exec(credential)?.[0] ?? credential;
      for (const text of [
        credential,
        JSON.stringify({ query: { match: { note: credential } } }),
        escaped(JSON.stringify({ note: `a\n${credential}\nb` })),
        escaped(escaped(JSON.stringify({ note: credential }))),
        `before, ${credential} and after`,
      ]) {
        assert.ok(!scrubbed(text).includes(secret), scrubbed(text));
      }
    });
  }

  it('that is a Telltale key goes however it is drawn, also right after other letters or cut off', () => {
    for (let drawn = 0; drawn < 200; drawn += 1) {
      const secret = newSecret();
      const key = formatKey({ keyId: newKeyId(), secret });
      const asLogged = JSON.stringify({
        note: `x_${key}`,
        url: `/a?b=${key}&c`,
        list: [`a${key}`, `-${key}`],
      });
      for (const text of [key, asLogged, escaped(asLogged), encodeURIComponent(asLogged)])
        assert.ok(!scrubbed(text).includes(secret), text);
      const cut = JSON.stringify({ note: `see ${key}` }).slice(0, -2 - (drawn % 30));
      assert.ok(!scrubbed(cut).includes(secret.slice(0, 12)), cut);
    }
  });

  it('that is a PEM block of any kind goes whole, also where it is part of an address', () => {
    for (const kind of ['RSA PRIVATE KEY', 'CERTIFICATE', 'PGP MESSAGE']) {
      const block = `-----BEGIN ${kind}-----\n${body}${body}\n${body}${body}\n-----END ${kind}-----`;
      for (const text of [block, JSON.stringify({ q: block }), encodeURIComponent(block)]) {
        assert.ok(!scrubbed(text).includes(body), scrubbed(text));
      }
    }
  });

  it('that is a private key goes whole, or as far as it was logged', () => {
    const lines = Array.from({ length: 8 }, () => body.repeat(2)).join('\n');
    const key = `-----BEGIN RSA PRIVATE KEY-----\n${lines}\n-----END RSA PRIVATE KEY-----`;
    assert.equal(scrubbed(`a ${key} b`), 'a [redacted] b');
    assert.equal(scrubbed(JSON.stringify({ k: key, b: 1 })), '{"k":"[redacted]","b":1}');
    assert.ok(!scrubbed(JSON.stringify({ k: key }).slice(0, 200)).includes(body));
    assert.ok(!scrubbed(key.slice(40)).includes(body));
  });

  it('goes if it directly follows other letters', () => {
    const part = (claims: object): string => Buffer.from(JSON.stringify(claims)).toString('base64url');
    const token = `${part({ alg: 'HS256' })}.${part({ sub: '1' })}.${body}`;
    assert.equal(scrubbed(`jwt_${token} seen`), 'jwt_[redacted] seen');
  });

  it('that is the private part of a JSON Web Key goes, and its public part stays', () => {
    const key = { kty: 'OKP', crv: 'Ed25519', x: body, d: body.toLowerCase() };
    assert.deepEqual(JSON.parse(scrubbed(JSON.stringify(key))), { ...key, d: '[redacted]' });
  });

  it('goes as far as it was logged, whatever it looks like', () => {
    for (const begun of [
      'AP6xxxxxx',
      'ACxxxxxxxxxx',
      'A3T0ZZZZZZ',
      'ghp_Zk3',
      'SG.Zk3Qw9',
      'https://bob-b',
    ]) {
      assert.ok(!scrubbed(`{"query":{"match":{"note":"see ${begun}`).includes(begun), begun);
    }
    for (const harmless of ['something', '"minimum_should_match', '"queryString', '2026-01-02T03:04']) {
      assert.ok(scrubbed(`{"query":{"match":{"note":"${harmless}`).endsWith(harmless), harmless);
    }
  });

  it('is also replaced where no key names it', () => {
    assert.ok(!scrubbed(`{"password":"${body}","note":"was ${body}"}`).includes(body));
  });
});

describe('what is no credential', () => {
  it('stays as it is', () => {
    for (const text of [
      '{"query":{"match":{"id":"7d444840-9dc0-11d1-b245-5ffdce74fad2"}}}',
      '{"query":{"term":{"sha1":"da39a3ee5e6b4b0d3255bfef95601890afd80709"}}}',
      '{"query":{"match":{"ip":"192.168.0.1"}},"sort":["_doc"],"size":10}',
      '{"query":{"match":{"url":"https://example.com:8080/a/b?c=d#e"}}}',
      '{"query":{"match":{"mail":"the basic idea of a token economy"}}}',
      '{"integrity":"sha512-yq5dx4CbL2sofWXKuadyty3ZKRcZyqe5iiuuOWjZgtIed9MBZ2Wqe5hQN18+a5XVfR4SFQGVISb/a0oTjdPjwQ=="}',
      '{"elasticsearch.node.id":"a8BUD2RfQSu4aqtpePX7BA","note":"send Bearer <token> with it; the token is required"}',
      '[1]: https://example.org/has-symbols',
      '{"agent":{"version":"8.14.1.2"},"note":"since version 8.14.1.2, or Version: 9.0.0.1"}',
      '{"note":"tt_measurements_per_day, internal_events_2026:partition_2026_november"}',
      'see [the guide](https://example.org):',
      '{"a":"C:\\\\new\\\\table","b":"100%25 sure"}',
      '{"terms":{"ip":["8.8.8.8","93.184.216.34"]}}',
      '{"term":{"user_agent":"Mozilla/5.0 Chrome/124.0.0.0"}}',
      '{"term":{"url":"https://acme.cloudant.com/db"}}',
      '{"aggs":{"tokens":{"terms":{"field":"a","size":10}},"api_keys":{"cardinality":{"field":"b"}}}}',
      '{"term":{"has_password":{"value":true}}}',
      '{"has_api_key":3,"hasToken":"2026-11-23","user.had_secret.keyword":"2026-11-23T10:00:00.000Z"}',
      '{"range":{"has_api_key":{"gte":1}}}',
      'has_api_key = 2026-11-23 and has_token:"no"',
      'The token: what it is',
      '{"match":{"title":"Your password: how to reset it"}}',
      '{"sparse_vector":{"field":"ml.tokens","query_vector":{"password":0.4,"token":0.2}}}',
    ]) {
      assert.equal(scrubbed(text), text);
    }
  });
});

describe('scrubbing', () => {
  it('leaves the null of JSON, whatever else its key holds', () => {
    for (const text of ['{" PW":null}', '{"the password":null}', '{"\\tpin":null}']) {
      assert.equal(scrubbed(text), text);
    }
    assert.equal(scrubbed('{" PW":1234}'), '{" PW":"[redacted]"}');
  });

  it('never throws, and says where it replaced', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        const { text: left, replacements } = scrubText(text);
        for (const { start, end } of replacements) assert.match(left.slice(start, end), /\[redacted\]/);
      }),
    );
  });
});
