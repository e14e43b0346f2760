import type { EscapedUnits } from './escaped-units.js';
import { withoutEscapes } from './escapes.js';
import { LetterTrie } from './letter-trie.js';
import {
  dotBefore,
  isDigitAt,
  lastWordStart,
  longestName,
  placeAt,
  readEscapedName,
  readName,
  readNameIn,
  startsWord,
} from './name-letters.js';
import type { Units } from './units.js';

/**
 * Which names say that what stands under them is a credential. Names are compared without case and separators, so
 * `apiKey`, `API-KEY` and `x_api_key` are one.
 */
const endings = `
  password passwords passwd passwort passphrase passcode userpass dbpass storepass keypass pwd secret secrets token
  tokens jwt apikey apikeys accesskey accesskeys secretkey privatekey encryptionkey signingkey
  masterkey accountkey sharedkey sharedaccesskey storagekey servicekey authkey adminkey appkey
  applicationkey hmackey sshkey rsakey pgpkey gpgkey deploykey clientkey consumerkey subscriptionkey
  sessionkey cryptokey aeskey symmetrickey rootkey serverkey functionskey integrationkey ingestkey
  ingestionkey licensekey licencekey managementkey decryptionkey authorization authentication
  credential credentials connectionstring connstring connstr sharedaccesssignature amzsignature
  sessionid sessid csrf xsrf cookie cookies bearer mnemonic seedphrase recoverycode recoverycodes
  backupcode backupcodes securityanswer privkey keyphrase accountsas webhookurl kennwort motdepasse
  contrasena contrasea parola wachtwoord googsignature haso rootpw bindpw userpw adminpw dbpw newpass
  oldpass rootpass adminpass mypass bindpass ldappass smtppass mailpass ftppass sqlpass loginpass
  samlresponse samlassertion clientassertion codeverifier authorizationcode authcode verificationcode
  ntlmhash requirepass masterauth heslo lozinka salasana jelszo jelsz adgangskode passord
  losenord lsenord
`;

/** Letters that are not of ASCII are passed over: `contraseña` reads `contrasea`, `hasło` `haso`; of other scripts nothing is left. */
const otherScripts = /(?:парол[ья]|密[码碼]|口令|パスワード|비밀번호)$/iu;

/** Names that say so alone or as a name's last word, but are part of many other words. */
const lastWords = `
  pass pw auth cred creds pin otp totp cvv cvc sig sid psk sas dsn apitoken passw pswd pword senha
  haslo jwk nthash lmhash
`;

/** Names of which what stands under them may be a credential: alone or as the last word, and as an end. */
const doubtfulWords = 'key keys session signature clave';
const doubtfulEndings = 'accessid keyid';

/** Words behind a name that do not change what it names. */
const qualifiers = `
  value values text string str raw plain plaintext cleartext hash hashed digest encoded encrypted enc
  data new old current previous confirm confirmation again repeat header keyword param env prod
  production dev test staging live equals ignore case contains matches starts ends with base b
  to lower upper compare lowercase uppercase exact untouched ngram v json pem der jwk binary bin hex
  base64 b64 md md5 sha sha1 sha256 sha512 bcrypt scrypt argon argon2 argon2id pbkdf pbkdf2
`;

/** Names that as holders of others, `credentials.github`, are of much else: they count only where a path begins. */
const commonHolders = 'auth authentication authorization pass pin otp totp sig sid dsn';

/** What the last word of a path may say that stands under a credential, `token.type`, and is none. */
const ofCredentials = `
  name names type kind count total size length bytes max min num number limit used usage remaining cost
  prompt completion input output cached status state method action provider issuer iss sub aud jti exp
  iat nbf alg algorithm policy strategy strength scheme scope scopes claims role roles realm domain host
  hostname port path file filename url uri endpoint location region namespace version id ids uuid guid
  at time timestamp date expiry expires expiration expired created updated modified changed rotated
  revoked ttl age lifetime duration enabled disabled required valid invalid active success failure
  failed result outcome reason category description language position offset attempts username
  exception error errors service filter manager handler controller factory impl utils
  com org net io local internal svc
  txt log md csv xml yml yaml toml conf cfg ini html js ts jsx tsx py java kt go rb php rs cs cpp sql sh
`;

/** Words before `token` and `key` that make them something else. */
const countOf = 'max min total num number count prompt completion input output cached unique special stop';
const positionOf = 'next page continuation cursor';
const keyOf =
  'routing partition primary foreign sort cache object message translation issue binding shard dedup idempotency';
const harmless = [
  ...countOf.split(' ').flatMap((word) => [`${word}token`, `${word}tokens`]),
  ...positionOf.split(' ').map((word) => `${word}token`),
  ...keyOf.split(' ').map((word) => `${word}key`),
  'publickey',
  'publicapikey',
];

export type CredentialName =
  /** Whatever stands under it is a credential. */
  | 'strong'
  /** What stands under it may be one: it counts where it looks random. */
  | 'weak'
  | 'none';

const [ending, lastWord, doubtfulWord, doubtfulEnding, qualifier, isHarmless, isCommon] = [
  1, 2, 4, 8, 16, 32, 64,
];
/** What counts where it is the last word alone. */
const ofLastWords = lastWord | doubtfulWord | qualifier;

/** All of them, from their last letter to their first. */
const backwards = new LetterTrie();
/** Those of credentials, likewise. Few names need them: the others are told from fewer letters without. */
const backwardsOfCredentials = new LetterTrie();
const reversed = (word: string): string => Array.from(word).reverse().join('');
const wordsIn = (list: string): readonly string[] => list.trim().split(/\s+/);
for (const [mark, words] of [
  [ending, wordsIn(endings)],
  [lastWord, wordsIn(lastWords)],
  [doubtfulWord, wordsIn(doubtfulWords)],
  [doubtfulEnding, wordsIn(doubtfulEndings)],
  [qualifier, wordsIn(qualifiers)],
  [isHarmless, harmless],
  [isCommon, wordsIn(commonHolders)],
] as const)
  for (const word of words) backwards.add(reversed(word), mark);
for (const word of wordsIn(ofCredentials)) backwardsOfCredentials.add(reversed(word), 1);

/** What a name says that stands in a text. */
export function credentialName(text: string, from = 0, to = text.length): CredentialName {
  if (to - from > longestName || to === from) return 'none';
  if (isInOtherScript(text, text.charCodeAt(to - 1), from, to)) return 'strong';
  return credentialOf(readName(text, from, to));
}

/** The same of a name in a text that is read by its units. */
export function credentialNameIn(units: Units, from: number, to: number): CredentialName {
  if (to - from > longestName) return 'none';
  if (isInOtherScript(units.text, units.at(to - 1), from, to)) return 'strong';
  return credentialOf(readNameIn(units, from, to));
}

/** The same of a name with escapes, as which it may be longer. */
export function credentialNameEscaped(escaped: EscapedUnits, from: number, to: number): CredentialName {
  if (to - from <= longestName) {
    const length = readEscapedName(escaped, from, to);
    if (escaped.last < otherScript) return credentialOf(length);
  }
  return credentialName(withoutEscapes(escaped.units.text.slice(from, to)));
}

const otherScript = 0x400;
const isInOtherScript = (text: string, last: number, from: number, to: number): boolean =>
  last >= otherScript && otherScripts.test(text.slice(from, to));

/** What a word says; of `other` it is certain that it is no credential, and `common` is strong as a name's last word. */
const [other, common, strong, weak, unsaid] = [-5, -4, -3, -2, -1];

/** What the name says that was read last (name-letters.ts), of such a length. From its end: most names say nothing. */
function credentialOf(length: number): CredentialName {
  for (let end = length; ;) {
    const says = lastOf(end, length);
    if (says > unsaid) end = says;
    else if (says <= strong) return says === other ? 'none' : 'strong';
    else return asHeld(says, end, length);
  }
}

/** Where the words end that mean something, of the name that was read last: behind them are such as change nothing. */
export function endOfMeaning(length: number): number {
  let end = length;
  for (let left = lastOf(end, length); left > unsaid; left = lastOf(end, length)) end = left;
  while (end > 0 && placeAt(end - 1) < 0) end -= 1;
  return end;
}

/** Of a name whose last word, which ends at a place, says nothing or little. */
function asHeld(says: number, end: number, length: number): CredentialName {
  const dot = dotBefore(end);
  if (dot > 0 && isHeld(dot, length) && !(says === unsaid && saysOfCredential(end, length))) return 'strong';
  return says === weak ? 'weak' : 'none';
}

const holdersAtMost = 8;

/** Whether a part of a path up to a dot names a credential: `credentials.github`, `password.english`. */
function isHeld(lastDot: number, length: number): boolean {
  let dot = lastDot;
  for (let count = 0; count < holdersAtMost && dot > 0; count += 1) {
    const before = dotBefore(dot);
    for (let end = dot; end > before;) {
      const says = lastOf(end, length);
      if (says === strong || (says === common && before === -1 && end === dot)) return true;
      end = says;
    }
    dot = before;
  }
  return false;
}

/** Whether the last word up to a place says what of a credential it is, and not that it is one. */
function saysOfCredential(end: number, length: number): boolean {
  const start = lastWordStart(end, length);
  let node = start === -1 ? backwardsOfCredentials.none : backwardsOfCredentials.root;
  for (let at = end - 1; node !== backwardsOfCredentials.none && at >= start; at -= 1) {
    const place = placeAt(at);
    if (place >= 0) node = backwardsOfCredentials.next(node, place);
  }
  return node !== backwardsOfCredentials.none && backwardsOfCredentials.markOf(node) !== 0;
}

/** What a name says up to a word's end; where it says nothing, where that word begins if it may be left out. */
function lastOf(end: number, length: number): number {
  let says: number = unsaid;
  let leftOut = unsaid;
  let lastWordAt = unsaid;
  let node = backwards.root;
  for (let at = end - 1; at >= 0; at -= 1) {
    const place = placeAt(at);
    if (place < 0) continue;
    node = backwards.next(node, place);
    if (node === backwards.none) break;
    const mark = backwards.markOf(node);
    if (mark === 0) continue;
    if (mark & ofLastWords && lastWordAt === unsaid) lastWordAt = lastWordStart(end, length);
    if (mark & isHarmless && startsWord(at, length)) return other;
    const isWord = at === lastWordAt;
    if (mark & ending || (isWord && mark & lastWord))
      says = mark & isCommon && says !== strong ? common : strong;
    else if (says === unsaid && (mark & doubtfulEnding || (isWord && mark & doubtfulWord))) says = weak;
    if (isWord && mark & qualifier) leftOut = at;
  }
  if (says !== unsaid) return says;
  const last = leftOut === unsaid ? numberAt(end) : leftOut;
  return last > 0 ? last : unsaid;
}

/** Where the number begins that is a name's last word, -1 where that is none. */
function numberAt(end: number): number {
  let at = end;
  while (at > 0 && placeAt(at - 1) < 0) at -= 1;
  const last = at;
  while (at > 0 && isDigitAt(at - 1)) at -= 1;
  return at === last ? -1 : at;
}
