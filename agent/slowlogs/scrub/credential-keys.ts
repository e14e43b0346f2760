import { Trigrams } from './trigrams.js';

/**
 * Which names say that what stands under them is a credential. Names are compared without case and separators, so
 * `apiKey`, `API-KEY` and `x_api_key` are one.
 */
const endings = [
  'password',
  'passwords',
  'passwd',
  'passwort',
  'passphrase',
  'passcode',
  'userpass',
  'dbpass',
  'pwd',
  'secret',
  'secrets',
  'token',
  'tokens',
  'jwt',
  'apikey',
  'apikeys',
  'accesskey',
  'accesskeys',
  'secretkey',
  'privatekey',
  'encryptionkey',
  'signingkey',
  'masterkey',
  'accountkey',
  'sharedkey',
  'sharedaccesskey',
  'storagekey',
  'servicekey',
  'authkey',
  'adminkey',
  'appkey',
  'applicationkey',
  'hmackey',
  'sshkey',
  'rsakey',
  'pgpkey',
  'gpgkey',
  'deploykey',
  'clientkey',
  'consumerkey',
  'subscriptionkey',
  'sessionkey',
  'cryptokey',
  'aeskey',
  'symmetrickey',
  'rootkey',
  'serverkey',
  'functionskey',
  'integrationkey',
  'ingestkey',
  'ingestionkey',
  'licensekey',
  'licencekey',
  'managementkey',
  'decryptionkey',
  'authorization',
  'authentication',
  'credential',
  'credentials',
  'connectionstring',
  'connstring',
  'connstr',
  'sharedaccesssignature',
  'amzsignature',
  'sessionid',
  'sessid',
  'csrf',
  'xsrf',
  'cookie',
  'cookies',
  'bearer',
  'mnemonic',
  'seedphrase',
  'recoverycode',
  'recoverycodes',
  'backupcode',
  'backupcodes',
  'securityanswer',
  'privkey',
  'keyphrase',
  'accountsas',
  'webhookurl',
] as const;

/** Names that say so alone or as a name's last word, but are part of many other words. */
const lastWords: ReadonlySet<string> = new Set([
  'pass',
  'pw',
  'auth',
  'cred',
  'creds',
  'pin',
  'otp',
  'totp',
  'cvv',
  'cvc',
  'sig',
  'sid',
  'psk',
  'sas',
  'dsn',
  'apitoken',
  'passw',
  'pswd',
  'pword',
]);

/** Words behind a name that do not change what it names. */
const qualifiers: ReadonlySet<string> = new Set([
  'value',
  'values',
  'text',
  'string',
  'str',
  'raw',
  'plain',
  'plaintext',
  'cleartext',
  'hash',
  'hashed',
  'digest',
  'base64',
  'b64',
  'encoded',
  'encrypted',
  'enc',
  'data',
  'new',
  'old',
  'current',
  'previous',
  'confirm',
  'confirmation',
  'again',
  'repeat',
  'header',
  'keyword',
  'raw',
  'param',
  'env',
  'prod',
  'production',
  'dev',
  'test',
  'staging',
  'live',
  'equals',
  'ignore',
  'case',
  'contains',
  'matches',
  'starts',
  'ends',
  'with',
]);

/** Names that end alike and say something else. */
const harmless =
  /(?:max|min|total|num|number|count|prompt|completion|input|output|cached|unique|special|stop)tokens?$|(?:next|page|continuation|cursor)token$|public(?:api)?key$/;

const harmlessEnd: ReadonlySet<string> = new Set(['ken', 'ens', 'key']);

export type CredentialName =
  /** Whatever stands under it is a credential. */
  | 'strong'
  /** What stands under it may be one: it counts where it looks random. */
  | 'weak'
  | 'none';

const telling = new Trigrams([...endings, ...lastWords, 'key', 'session']);
const known = new Map<string, CredentialName>();
const knownAtMost = 2_000;

/** What a name says. Remembered, as the same names come again and again. */
export function credentialName(name: string): CredentialName {
  if (name.length > 160) return 'none';
  if (!telling.mayBeIn(name)) return 'none';
  const before = known.get(name);
  if (before !== undefined) return before;
  const verdict = judged(name);
  if (known.size >= knownAtMost) known.clear();
  known.set(name, verdict);
  return verdict;
}

function judged(name: string): CredentialName {
  const words = wordsOf(name);
  // A name may be one with its last word, as `connection_string` is, or without it.
  for (;;) {
    const verdict = verdictOf(words);
    const last = words.at(-1) ?? '';
    if (verdict !== 'none' || words.length < 2 || !isQualifier(last)) return verdict;
    words.pop();
  }
}

function verdictOf(words: readonly string[]): CredentialName {
  const joined = words.length === 1 ? (words[0] ?? '') : words.join('');
  const last = words.at(-1) ?? '';
  if (harmlessEnd.has(joined.slice(-3)) && harmless.test(joined)) return 'none';
  if (lastWords.has(last) || endsLikeOne(joined)) return 'strong';
  if (/^(?:keys?|session)$/.test(last) || /(?:access|key)id$/.test(joined)) return 'weak';
  return 'none';
}

const isQualifier = (word: string): boolean =>
  qualifiers.has(word) || ((word.charCodeAt(0) ^ 48) < 10 && /^\d+$/.test(word));

/** The endings by their last three letters. */
const byEnd = new Map<string, string[]>();
for (const ending of endings) byEnd.set(ending.slice(-3), [...(byEnd.get(ending.slice(-3)) ?? []), ending]);

const endsLikeOne = (joined: string): boolean =>
  byEnd.get(joined.slice(-3))?.some((ending) => joined.endsWith(ending)) === true;

/** `dbPassword2`, `DB_PASSWORD_2` and `db.password.2` give `db`, `password`, `2`. */
export function wordsOf(name: string): string[] {
  const words: string[] = [];
  let from = 0;
  for (let at = 0; at <= name.length; at += 1) {
    const isInside = at < name.length && kindAt(name, at) !== other;
    if (isInside && (at === from || !beginsWord(name, at))) continue;
    if (at > from) words.push(name.slice(from, at).toLowerCase());
    from = isInside ? at : at + 1;
  }
  return words;
}

const [other, lower, upper, digit] = [0, 1, 2, 3];

function kindAt(name: string, at: number): number {
  const code = name.charCodeAt(at);
  if (code >= 97 && code <= 122) return lower;
  if (code >= 65 && code <= 90) return upper;
  return code >= 48 && code <= 57 ? digit : other;
}

/** Where a capital follows a small letter, the last of several capitals is followed by one, or digits end the name. */
function beginsWord(name: string, at: number): boolean {
  const before = kindAt(name, at - 1);
  const here = kindAt(name, at);
  if (here === upper) return before === lower || (before === upper && kindAt(name, at + 1) === lower);
  if (here !== digit || (before !== lower && before !== upper)) return false;
  let end = at + 1;
  while (kindAt(name, end) === digit) end += 1;
  return end === name.length;
}
