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

export type CredentialName =
  /** Whatever stands under it is a credential. */
  | 'strong'
  /** What stands under it may be one: it counts where it looks random. */
  | 'weak'
  | 'none';

const known = new Map<string, CredentialName>();
const knownAtMost = 20_000;

/** What a name says. Remembered, as the same names come again and again. */
export function credentialName(name: string): CredentialName {
  if (name.length > 160) return 'none';
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
    if (verdict !== 'none' || words.length < 2 || !(qualifiers.has(last) || /^\d+$/.test(last)))
      return verdict;
    words.pop();
  }
}

function verdictOf(words: readonly string[]): CredentialName {
  const joined = words.join('');
  const last = words.at(-1) ?? '';
  if (harmless.test(joined)) return 'none';
  if (lastWords.has(last) || endings.some((ending) => joined.endsWith(ending))) return 'strong';
  if (/^(?:keys?|session)$/.test(last) || /(?:access|key)id$/.test(joined)) return 'weak';
  return 'none';
}

/** `dbPassword2`, `DB_PASSWORD_2` and `db.password.2` give `db`, `password`, `2`. */
export function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .replace(/([A-Za-z])(\d+)$/, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}
