import fc from 'fast-check';

/** Names whose values are credentials, and some whose values can be. */
const names = [
  'password', 'PW', 'apiKey', 'x-api-key', 'client_secret', 'auth.token', 'PRIVATE_KEY', 'pwd', 'auth', 'cookie',
  'Authorization', 'pin', 'sid', 'key', 'session', 'aws_access_key_id', 'github', 'token', 'tokens', 'secret', 'passphrase',
]; // prettier-ignore

const signs = [
  '', ' ', '\t', '\n', '  ', '"', '\\', "'", '\u00a0', '/', '😀', '\u0000', '%22', '%', '.', '-', '_', '$', '[', ']', ',',
]; // prettier-ignore

/** Tokens that rules take for the start or end of something, here without the rest. */
const stumblingBlocks = [
  '=', ': ', ':', ' => ', '="', "='", '":"', '\\":\\"', '=[', '={', ' in (', " IN ('", '>', '<password>', '</password>',
  ' is ', ' was "', '--', ' -u ', ' -p', 'mysql -p', '://', '@', '://a:b@', 'user:', 'Bearer ', 'Basic ', 'Digest a="',
  '-----BEGIN PRIVATE KEY-----', '-----END PRIVATE KEY-----', 'eyJhbGciOiJIUzI1NiJ9.', 'ghp_', 'AKIA', 'sk-', 'xoxb-1',
  'sig=', '?', '&', ';', '{', '}', '(', ')', '[redacted]', '[redacted', 'redacted]', 'null', 'true', '12345', 'name',
  'value', '"name":"password"', '"value":', 'fields', '%20', '%5C', '\\u0041', '\\n', '\\\\', '\\"', "''", '``', '"""',
  '.value', '.equals("', 'AWS4-HMAC-SHA256 Credential=', "identified by '", 'https://hooks.slack.com/services/', '8.8.8.8',
  'put("token", ', '("', '", "', ' || "', ': |\n  ', '(a OR ', 'name: token\nvalue: ', '.login("a", ', ' .= ', '.login("a","b")',
  'net use z: ', ' /user:', 'ldapsearch -w ', 'htpasswd -b a ', 'smbmap -U ', 'smbclient -U', 'value: ', ': |\n    ', '\n  ', '\n      ', 'value: |\n  ', ': !vault >-\n  ',
  ':(', '=(', '(a OR (b', ')^2', '\\ ', 'password:(', '(")")',
  'login a password b', 'user=', '"username":', '"id":"', 'bob@example.com', ' | ', 'password is ', 'my password "', '--password ', 'mysql -u root -p',
]; // prettier-ignore

const values = [
  'Zk3Qw9Xe7Rt5Yu1Io8Pa2Sd4Fg6Hj0Kl', 'a1b2c3d4e5f60718293a4b5c6d7e8f90', 'hunter2', 'aGVsbG8gd29ybGQgdGhpcyBpcw==',
  'Zk3Qw9Xe7Rt5Yu1Io8Pa', 'v1.2.3', '7d444840-9dc0-11d1-b245-5ffdce74fad2',
]; // prettier-ignore

const piece = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...names) },
  { weight: 3, arbitrary: fc.constantFrom(...signs) },
  { weight: 3, arbitrary: fc.constantFrom(...stumblingBlocks) },
  { weight: 2, arbitrary: fc.constantFrom(...values) },
  { weight: 1, arbitrary: fc.string({ maxLength: 6 }) },
);

/** Prose, code, addresses and fragments of them. */
export const hostileText = fc.array(piece, { maxLength: 10 }).map((pieces) => pieces.join(''));

const key = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...names, 'name', 'value', 'field', 'fields', 'query', 'a') },
  {
    weight: 2,
    arbitrary: fc
      .array(fc.constantFrom(...names, ...signs), { minLength: 1, maxLength: 4 })
      .map((pieces) => pieces.join('')),
  },
  { weight: 1, arbitrary: hostileText },
);

/** Any JSON value with such keys and texts, including JSON within strings. */
export const hostileValue: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  leaf: fc.oneof(
    { weight: 4, arbitrary: hostileText },
    { weight: 1, arbitrary: fc.constantFrom(null, true, false, 0, -1.5e300, 1_234_567) },
    { weight: 1, arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }) },
  ),
  object: fc
    .array(fc.tuple(key, tie('value')), { maxLength: 4 })
    .map((entries) => Object.fromEntries(entries)),
  array: fc.array(tie('value'), { maxLength: 4 }),
  json: tie('value').map((value) => JSON.stringify(value)),
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { weight: 3, arbitrary: tie('leaf') },
    { weight: 3, arbitrary: tie('object') },
    { weight: 1, arbitrary: tie('array') },
    { weight: 1, arbitrary: tie('json') },
  ),
})).value;

/** Such JSON as text, on one line or several. */
export const hostileJson = fc
  .tuple(hostileValue, fc.constantFrom(undefined, 1))
  .map(([value, indent]) => JSON.stringify(value, null, indent));

const letters = Array.from('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789');

export const randomSecret = fc
  .array(fc.constantFrom(...letters), { minLength: 24, maxLength: 40 })
  .map((drawn) => drawn.join(''))
  .filter((text) => /[a-z]/.test(text) && /[A-Z]/.test(text) && /\d/.test(text));

const strongName = fc.constantFrom(
  'password',
  'apiKey',
  'x-api-key',
  'client_secret',
  'auth.token',
  'PRIVATE_KEY',
  'pwd',
);

export interface Plant {
  readonly secret: string;
  /** The JSON value that contains the secret. */
  readonly value: unknown;
}

/** A secret as the value of a name, or in a text that identifies it as a secret. */
export const plant: fc.Arbitrary<Plant> = fc
  .tuple(strongName, randomSecret, fc.constantFrom(...signs), fc.nat(15))
  .map(([name, secret, sign, way]) => {
    const ways: readonly unknown[] = [
      { [name]: secret },
      { [sign + name]: secret },
      { [name]: [{ v: secret }, 7] },
      { [name]: JSON.stringify({ a: secret }) },
      JSON.stringify({ [name]: secret }),
      `see ${name}=${secret}&x=1`,
      `${name}: "${secret}", then`,
      `ghp_${secret}abcdefghij`,
      `mongodb://bob:${secret}@db/x`,
      `Bearer ${secret}`,
      `<${name.replaceAll(/[^a-z]/gi, '')}>${secret}</a>`,
      `${name}=${secret} or 'x'`,
      `${name}=!${secret} "x"`,
      `${name}=(x)${secret}`,
      `${name}: ${secret} = 'x'`,
      `set("${name}", "${secret}")`,
    ];
    return { secret, value: ways[way] };
  });
