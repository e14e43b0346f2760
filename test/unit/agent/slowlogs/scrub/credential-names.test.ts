import assert from 'node:assert/strict';
import { credentialName } from '../../../../../agent/slowlogs/scrub/names.js';
import { scrubText } from '../../../../../agent/slowlogs/scrub/scrub-text.js';

const scrubbed = (text: string): string => scrubText(text).text;

/** Searches for a value of a field, in each language that names fields by a path. */
const searchesOf = (field: string, value: string): readonly string[] => [
  JSON.stringify({ query: { term: { [field]: value } } }),
  JSON.stringify({ query: { terms: { [field]: [value] } } }),
  JSON.stringify({ query: { multi_match: { query: value, fields: ['title', `${field}^2.0`] } } }),
  `status:open AND ${field}:"${value}"`,
  `SELECT a FROM users WHERE ${field} = '${value}'`,
  `FROM users | WHERE ${field} == "${value}" | LIMIT 10`,
  `doc['${field}'].value == '${value}'`,
];
const searchesFor = (field: string): readonly string[] => searchesOf(field, 'Sommer2024!');

const uuid = '7d444840-9dc0-41d1-b245-5ffdce74fad2';
const digest = 'da39a3ee5e6b4b0d3255bfef95601890afd80709';

describe('a value that no name marks as a credential stays', () => {
  it('where tokens are counted', () => {
    for (const text of [
      '{"script":{"source":"ctx._source.tokens += params.tokens","params":{"tokens":3}}}',
      '{"query":{"range":{"usage.tokens":{"gte":1000}}}}',
      '{"query":"FROM usage | STATS tokens = SUM(total_tokens) BY model"}',
      '{"query":{"query_string":{"query":"tokens:>1000"}}}',
    ])
      assert.equal(scrubbed(text), text);
    assert.doesNotMatch(scrubbed('{"query":{"term":{"tokens":"Sommer2024!"}}}'), /Sommer/);
  });

  it('where a script asks for the number of values of a field', () => {
    const text = `{"script":{"source":"if (doc['session.id'].size() > 0) { emit(1) }"}}`;
    assert.equal(scrubbed(text), text);
  });

  it('where a search only returns the field of a credential', () => {
    const text = '{"query":{"match":{"title":"harbour"}},"fields":["title","session_token"]}';
    assert.equal(scrubbed(text), text);
    const other = '{"fields":["session_token"],"query":{"match":{"session_token":"harbour"}}}';
    assert.equal(
      scrubbed(other),
      '{"fields":["session_token"],"query":{"match":{"session_token":"[redacted]"}}}',
    );
  });

  it('where the name of a service precedes a field that it logs', () => {
    for (const [field, value] of [
      ['azure.activitylogs.correlation_id', uuid],
      ['aws.cloudtrail.event_id.keyword', uuid],

      ['github.head_ref', 'feature/PROJ-1234-new-thing'],
      ['github_head_ref', 'feature/PROJ-1234-new-thing'],
      ['gitlab.commit.digest', digest],
      ['GITHUB_SHA', digest],
    ] as const)
      // prettier-ignore
      for (const text of [JSON.stringify({ query: { term: { [field]: { value } } } }), `${field}:"${value}"`])
        assert.equal(scrubbed(text), text);
    for (const field of [
      'heroku.api',
      'services.github',
      'datadog.keyword',
      'stripe.live',
      'my.heroku_thing',
    ])
      for (const text of [
        JSON.stringify({ query: { term: { [field]: { value: uuid } } } }),
        `${field}:"${uuid}"`,
      ])
        assert.ok(!scrubbed(text).includes(uuid), text);
  });

  it('where its key is that of something sorted, sent or stored', () => {
    for (const field of [
      'routing_key',
      'error.grouping_key',
      'aws.s3.object.key',
      'partitionKey',
      'object_key',
      'cache_key',
      'issue.key',
    ])
      for (const value of [
        'orders.created.v1',
        'logs/2026/11/22/file-000123.json.gz',
        'PROJ-12345-a1b2c3d4',
        digest,
      ])
        for (const text of [
          JSON.stringify({ query: { term: { [field]: { value } } } }),
          `${field}:"${value}"`,
        ])
          assert.equal(scrubbed(text), text);
  });
});

describe('a value that is no credential stays', () => {
  it('if it is a Windows identifier of a user or a group', () => {
    for (const field of ['winlog.event_data.TargetUserSid', 'MemberSid', 'sid'])
      for (const value of ['S-1-5-18', 'S-1-5-21-1004336348-1177238915-682003330-512', 'S-1-5-21-*'])
        for (const text of searchesOf(field, value)) assert.equal(scrubbed(text), text);
    assert.doesNotMatch(scrubbed('{"term":{"connect.sid":"S-1-Sommer2024"}}'), /Sommer/);
  });

  it('if it is the path of a file', () => {
    for (const text of searchesOf('key', 'exports/2026/02/01/part-00017-3f1d.snappy.parquet'))
      assert.equal(scrubbed(text), text);
    for (const value of ['q7Rt5Yu1/Io8PaZk3Qw9Xe', 'q7Rt5Yu1Io8PaZk3Qw9Xe.a/'])
      for (const text of searchesOf('key', value)) assert.ok(!scrubbed(text).includes(value), text);
  });

  it('if it is a word of a sentence or of a log line', () => {
    for (const text of [
      'pam_unix(sudo:auth): authentication failure; logname=bob uid=1000 euid=0 tty=/dev/pts/0 user=bob',
      'pam_unix(sshd:auth): check pass; user unknown',
      'sudo: bob : TTY=pts/1 ; PWD=/home/bob ; USER=root ; COMMAND=/bin/ls',
      'SyntaxError: Unexpected token < in JSON at position 0',
      'auth: OK, took 3ms',
      `SELECT * FROM spans WHERE "span.function" = 'getToken' LIMIT 5`,
      `SELECT * FROM songs WHERE "title" = 'Token of Love'`,
    ])
      for (const embedded of [text, JSON.stringify({ query: { match_phrase: { message: text } } })])
        assert.equal(scrubbed(embedded), embedded);
    assert.doesNotMatch(scrubbed('Server=db;UID=app;PWD=/Sommer2024;'), /Sommer/);
    assert.doesNotMatch(scrubbed('login(user:auth): x; password: Sommer'), /Sommer/);
  });
});

it('a random value that ends like the name of a credential is not taken for a name', () => {
  const source = "doc['client_secret'].value == params.wanted";
  const script = { source, params: { wanted: 'Nq7jZ4BAYyRmGBg0OUeQ3pMIzZzl5HwwFqlS1Wq2pw' } };
  assert.doesNotMatch(scrubbed(JSON.stringify({ script })), /ZzHwwFqlS|Nq7jZ4B/);
});

describe('the name of a field marks its value as a credential', () => {
  it('if a part of its path does, because the whole object of that part is replaced', () => {
    for (const field of [
      'credentials.github',
      'secrets.db.prod',
      'passwords.admin',
      'tokens.github',
      'token.refresh',
      'authorization.basic',
      'password.english',
      'password._2gram',
      'user.password.autocomplete',
      'user.password_hash.english',
      'secrets.key',
    ])
      // prettier-ignore
      for (const text of searchesFor(field)) assert.doesNotMatch(scrubbed(text), /Sommer/, text);
  });

  it('if it is something that proves a sign-in', () => {
    for (const field of [
      'totp_seed',
      'SAMLResponse',
      'client_assertion',
      'oauth.code_verifier',
      'authorizationCode',
      'verification_code',
      'otp_code',
      'user.mfaCode',
      'card.security_code',
      'wifi.passkey',
      'user.nthash',
    ])
      // prettier-ignore
      for (const text of searchesFor(field)) assert.doesNotMatch(scrubbed(text), /Sommer/, text);
    for (const field of [
      'assertion',
      'http.response.code',
      'response',
      'verifier',
      'content_hash',
      'film_hash',
      'security_code',
      'confirmation_code',
    ])
      // prettier-ignore
      assert.equal(credentialName(field), 'none', field);
  });

  it('if it ends with a version, a digest or a format', () => {
    for (const field of [
      'password_md5',
      'passwordBcrypt',
      'password_sha256_hex',
      'token_v2',
      'secret_v1',
      'private_key_pem',
      'privateKeyPem',
      'secret_json',
      'SecretBinary',
      'rootpw',
      'bindpw',
      'newpass',
      'rootpass',
    ])
      // prettier-ignore
      for (const text of searchesFor(field)) assert.doesNotMatch(scrubbed(text), /Sommer/, text);
    assert.equal(scrubbed('{"hasło":"wiosna"}'), '{"hasło":"[redacted]"}');
  });

  it('but not if it names an attribute of a credential', () => {
    for (const field of [
      'token.type',
      'tokens.total',
      'tokens.prompt',
      'token.expires_at',
      'token.count.value',
      'secret.name',
      'pin.location',
      'google_workspace.token.client.type',
      'google_workspace.token.scope.value',
      'gen_ai.client.token.usage',
      'auth.method',
      'auth.user',
      'auth.tenant',
      'token.owner',
      'token.address',
      'pin.lat',
      'credentials.host',
      'password.go',
      'secrets.txt',
      'auth.service',
      'auth.example.com',
      'token.symbol',
      'process.Ext.token.elevation_level',
      'boarding_pass.gate',
      'highPass',
    ])
      // prettier-ignore
      assert.equal(credentialName(field), 'none', field);
  });

  it('but not if an ambiguous word is in the middle of a path', () => {
    for (const field of [
      'system.auth.ssh.event',
      'org.springframework.security.authentication.Login',
      'boarding.pass.seat',
      'map.pin.color',
    ])
      // prettier-ignore
      for (const text of searchesFor(field)) assert.equal(scrubbed(text), text);
  });
});
