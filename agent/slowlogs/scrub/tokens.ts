import { opaque } from '../opaque-ids.js';
import { inFormats, type Format } from './formats.js';
import { entropy, looksDrawn, looksEncoded, looksRandom } from './randomness.js';
import { finding, type Finding } from './replacements.js';
import { tokenPrefixes, type PrefixedToken } from './token-prefixes.js';

const longest = 2_048;

interface TokenForm {
  readonly vendor: string;
  readonly source: string;
}

function formOf([vendor, prefixes, body, least = 0, most]: PrefixedToken): TokenForm {
  const starts = prefixes.split(' ').map((prefix) => prefix.replace(/[.$+]/g, '\\$&'));
  const goesOn =
    typeof body !== 'string'
      ? body.source
      : `${body}{${least},${most ?? longest}}${most === undefined ? '' : '(?![A-Za-z0-9])'}`;
  return { vendor, source: `(?:${starts.join('|')})${goesOn}` };
}

/** None of these follows a letter or a digit immediately. */
const prefixed = tokenPrefixes.map(formOf);

/** These are unmistakable: they can follow other letters immediately. */
const anywhere: readonly TokenForm[] = [
  { vendor: 'Google', source: 'AIzaSy[A-Za-z0-9_-]{30,}' },
  { vendor: 'Slack', source: 'xox[abeoprs]-\\d{9,16}-[A-Za-z0-9-]{16,512}' },
  { vendor: 'Telltale', source: 'tt_[a-z2-7]{12}_[A-Za-z0-9_-]{20,100}' },
];

const sourceOf = (forms: readonly TokenForm[]): string => forms.map(({ source }) => source).join('|');
/** A token includes the rest of its word. */
const all = new RegExp(
  `(?:(?<![A-Za-z0-9])(?:${sourceOf(prefixed)})|${sourceOf(anywhere)})[A-Za-z0-9_-]{0,200}`,
  'g',
);

/** Documentation repeats one character in place of a token. */
const isPlaceholder = (token: string): boolean => token.length >= 16 && entropy(token.slice(-64)) < 1.5;

/** Tokens whose beginning identifies their vendor, as the vendors document it. */
function prefixedTokens(text: string): readonly Finding[] {
  const found: Finding[] = [];
  for (const { 0: token, index } of text.matchAll(all))
    if (!isPlaceholder(token))
      found.push(finding(`token of ${vendorOf(token)}`, index, index + token.length));
  return found;
}

const vendorOf = (token: string): string =>
  [...prefixed, ...anywhere].find(({ source }) => new RegExp(`^(?:${source})`).test(token))?.vendor ?? 'none';

const isRandom = (text: string): boolean => looksRandom(text);
const isDrawn = (text: string): boolean => looksDrawn(text, 14);
const isEncoded = (text: string): boolean => looksDrawn(text, 14) && looksEncoded(text);
/** Documentation repeats few characters. */
const isNoPlaceholder = (text: string): boolean => looksRandom(text.slice(-32));
const isElasticsearchKey = (text: string): boolean =>
  /^[\w-]{20}:[\w-]{22}$/.test(Buffer.from(text, 'base64').toString('latin1'));
const isElasticsearchPair = (text: string): boolean => {
  const [id = '', key = ''] = text.split(':');
  return (opaque(id, '') === id || looksEncoded(id)) && looksRandom(key, 22);
};
/** In random text, most characters are followed by one of another kind: a small or a capital letter, or a digit. */
const changesOften = (text: string): boolean =>
  /\d/.test(text) &&
  (text.match(/[a-z](?=[A-Z\d])|[A-Z](?=[a-z\d])|\d(?=[A-Za-z])/g) ?? []).length >= 0.38 * text.length;

/** Forms of tokens that no prefix alone identifies: a text that they contain, their expression, and a check. */
const shapes: readonly (readonly [vendor: string, needs: string, form: RegExp, looks?: (token: string, text: string) => boolean])[] = [
  ['Amazon', '', /(?<![A-Za-z0-9])(?:(?:FwoGZXIvYXdz|IQoJb3JpZ2luX2Vj|FQoGZXIvYXdz)[A-Za-z0-9+/=_-]{10,4000}|ABSK[A-Za-z0-9+/]{109,269}={0,2}|bedrock-api-key-[A-Za-z0-9+/=_-]{10,2000}|amzn\.(?:mws|sp)\.[0-9a-f-]{20,}|amzn1\.oa2-cs\.v1\.[0-9a-f]{20,})/g],
  ['Amazon AppSync', 'da2-', /(?<![A-Za-z0-9])da2-[a-z0-9]{26}(?![A-Za-z0-9])/g, (token, text) => looksDrawn(token.slice(4), 16) || text.includes('appsync-api')],
  ['Amazon', 'A', /(?:AKIA|ASIA|ABIA|ACCA|AGPA|AIDA|AIPA|ANPA|ANVA|APKA|AROA|ASCA|A3T[A-Z0-9])(?:(?=[A-Z]{0,15}\d)[A-Z0-9]{16,124}|(?<=(?<![A-Za-z0-9_])[A-Z]{4})[A-Z2-7]{16}(?![A-Z0-9_])|(?<letter>[A-Z])\k<letter>{15})(?![a-z])/g],
  ['Google', '', /(?<![A-Za-z0-9])(?:\d{12}-[a-z0-9]{32}\.apps\.googleusercontent\.com|ya29\.[A-Za-z0-9_-]{10,}|GOCSPX-[A-Za-z0-9_-]{16,}|1\/\/0[A-Za-z0-9_-]{20,}|GOOG[A-Z0-9]{16,}|AQ\.Ab8[A-Za-z0-9_-]{20,})/g],
  ['Azure', 'Q~', /(?<![A-Za-z0-9_~.-])[A-Za-z0-9_~.-]{3}\dQ~[A-Za-z0-9_~.-]{30,}/g],
  ['Azure', '', /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{30,120}(?:AzSe|AzFu|AzCa|AIoT|ACDb|APIM|\+ASt|\+AMC|\+AEh|\+ARm|\+ACR|JQQJ99|AZDO)[A-Za-z0-9+/_-]{4,100}={0,2}/g],
  ['Azure Storage', '==', /(?<![A-Za-z0-9+/=]|sha512[-:= ])[A-Za-z0-9+/]{86}==/gi],
  ['Azure', 'sig=', /(?<=[?&;]sig=)[A-Za-z0-9%+/=_-]{20,200}/g],
  ['a cloud', '', /(?<![A-Za-z0-9])(?:LTAI[A-Za-z0-9]{12,}|STS\.[A-Za-z0-9]{20,64}(?![A-Za-z0-9])|bce-v3\/ALTAK-?[A-Za-z0-9]{16,40}\/[a-f0-9]{40}|AQAAAA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_+/=-])|(?:dict|trnsl|pdct)\.1\.1\.\d{8}T\d{6}Z\.[a-f0-9]{16}\.[a-f0-9]{40}|AKID[A-Za-z0-9]{13,}|ALTAK[A-Za-z0-9]{16,}|AQVN[A-Za-z0-9_-]{30,}|t1\.[A-Za-z0-9_-]{10,200}={0,2}\.[A-Za-z0-9_-]{60,}={0,2}|YC[A-Za-z0-9_-]{38}|y[0-3]_[A-Za-z0-9_-]{40,}|do[oprs]_v1_[a-f0-9]{20,}|SCW[A-Z0-9]{17}|v1\.0-[a-f0-9]{24}-[a-f0-9]{100,})/g, (text) => /\d|^LTAI/.test(text)],
  ['IBM', 'softlayer', /(?<=api\.softlayer\.com\/[\w./]{1,40}\/)[a-f0-9]{32,80}/g],
  ['Elasticsearch', '', /(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{58}(?:==)?(?![A-Za-z0-9+/=])/g, isElasticsearchKey],
  ['Elasticsearch', ':', /(?<![\w-])[\w-]{20}:[\w-]{22}(?![\w-])/g, isElasticsearchPair],
  ['Okta', '00', /(?<![\w-])00[A-Za-z0-9_-]{39,40}(?![\w-])/g, isEncoded],
  ['Discord', '.', /(?<![A-Za-z0-9_-])[A-Za-z0-9]{0,2}[MNO][A-Za-z0-9_-]{23,25}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}/g],
  ['Telegram', ':', /(?<![A-Za-z0-9])(?:bot)?\d{5,16}:(?:AA[A-Za-z0-9_-]{30,36}|[A-Za-z0-9_-]{35})(?![A-Za-z0-9_-])/g],
  ['Vault', '.', /(?<![A-Za-z0-9])[sbr]\.(?=[A-Za-z]{0,24}\d)[A-Za-z0-9]{24}(?![A-Za-z0-9])/g],
  ['Mailchimp', '-us', /(?<![A-Za-z0-9])[0-9a-f]{32}-us\d{1,2}(?!\d)/g],
  ['Mailgun', '-', /(?<![A-Za-z0-9])[0-9a-h]{32}-[0-9a-h]{8}-[0-9a-h]{8}(?![A-Za-z0-9-])/g],
  ['1Password', 'A3-', /(?<![A-Za-z0-9])A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}/g],
  ['Facebook', '|', /(?<![A-Za-z0-9])\d{13,16}\|[A-Za-z0-9_-]{24,}/g],
  ['Terraform Cloud', '.atlasv1.', /(?<![A-Za-z0-9])[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{40,}/g],
  ['Artifactory', 'AP', /(?<![A-Za-z0-9])AP[0-9A-F](?=[A-Za-z]{0,20}[a-z0-9])[A-Za-z0-9]{10,100}/g],
  ['Asana', ':', /(?<![A-Za-z0-9])[012]\/\d{13,20}(?:\/\d{13,20})?:[a-f0-9]{32}/g],
  ['Kubernetes', '.', /(?<![A-Za-z0-9.-])(?=[a-z]{0,6}\d)[a-z0-9]{6}\.(?=[a-z]{0,16}\d)[a-z0-9]{16}(?![A-Za-z0-9.-])/g],
  ['Scaleway', '11', /(?<![A-Za-z0-9])11[0-9a-f]{32}(?![A-Za-z0-9])/g],
  ['Sentry', '://', /(?<=https?:\/\/)[0-9a-f]{32}(?=@[\w.-]{1,100}\/\d)/g],
  ['Firebase', ':APA91b', /(?<![A-Za-z0-9_-])[A-Za-z0-9_-]{7,16}:APA91b[A-Za-z0-9_-]{20,200}/g],
  ['MaxMind', '_mmk', /(?<![A-Za-z0-9_])[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk(?![A-Za-z0-9])/g],
  ['New Relic', 'NRAL', /(?<![A-Za-z0-9])[A-Fa-f0-9x]{4,8}[A-Za-z0-9]{28,32}NRAL(?![A-Za-z0-9])/g],
  ['Ably', ':', /(?<![A-Za-z0-9._-])[A-Za-z0-9_-]{6}\.(?=[A-Za-z_-]{0,6}\d)[A-Za-z0-9_-]{6}:[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])/g],
  ['PagerDuty', '+', /(?<![A-Za-z0-9+/=_-])[uy]\+(?=[A-Za-z_+-]{0,18}\d)[A-Za-z0-9_+-]{18}(?![A-Za-z0-9+/=_-])/g],
  ['Twilio', '', /(?<![A-Za-z0-9])(?:AC|SK)(?:[0-9a-z]{32}|[0-9a-fA-F]{32})(?![A-Za-z0-9])/g],
  ['Airtable', 'key', /(?<![A-Za-z0-9_-])key[A-Za-z0-9]{14}(?![A-Za-z0-9_-])/g, (text) => changesOften(text.slice(3))],
  ['Twitter', '-', /(?<![A-Za-z0-9_-])\d{15,19}-[A-Za-z0-9]{40}(?![A-Za-z0-9_-])/g, isEncoded],
  ['Plivo', 'A', /(?<![A-Za-z0-9])[MS]A[A-Z0-9]{18}(?![A-Za-z0-9_-])/g, isDrawn],
  ['ngrok', '_', /(?<![A-Za-z0-9_-])2[A-Za-z0-9]{26}_[A-Za-z0-9]{18,24}(?![A-Za-z0-9])/g, isDrawn],
  ['Ghost', ':', /(?<![A-Za-z0-9])[0-9a-f]{24}:[0-9a-f]{64}(?![A-Za-z0-9])/g, isNoPlaceholder],
  ['Salesforce', '!', /(?<![A-Za-z0-9])00[A-Za-z0-9]{10,16}![A-Za-z0-9_.]{80,200}/g],
  ['Salesforce', '861', /(?<![A-Za-z0-9])5A(?:ep|EP)861[A-Za-z0-9._=]{40,200}/g],
  ['Webex', '_', /(?<![A-Za-z0-9])[A-Za-z0-9]{64}_[A-Z0-9]{4}_[0-9a-f-]{36}(?![A-Za-z0-9-])/g],
  ['Tableau', '==:', /(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{22}==:[A-Za-z0-9]{32}(?![A-Za-z0-9])/g],
  ['Tatum', 't-', /(?<![A-Za-z0-9-])t-[a-f0-9]{24}-[a-f0-9]{24}(?![A-Za-z0-9-])/g],
  ['Zoho', '1000.', /(?<![A-Za-z0-9.])1000\.[a-f0-9]{32}\.[a-f0-9]{32}(?![A-Za-z0-9.])/g],
  ['Dropbox', 'AAAAAAAAAA', /(?<![A-Za-z0-9_-])[A-Za-z0-9]{11}AAAAAAAAAA[A-Za-z0-9_=-]{43}(?![A-Za-z0-9_=-])/g],
  ['Twitch', 'oauth:', /(?<=(?<![A-Za-z0-9])oauth:)[a-z0-9]{30}(?![A-Za-z0-9])/g, isDrawn],
  ['FullStory', 'na1.', /(?<![A-Za-z0-9.])na1\.[A-Za-z0-9+/]{90,110}(?![A-Za-z0-9])/g],
  ['Shutterstock', 'v2/', /(?<![A-Za-z0-9])v2\/[A-Za-z0-9]{380,400}(?![A-Za-z0-9])/g],
  ['Mapbox', 'pk.', /(?<![A-Za-z0-9.])pk\.(?:[a-f0-9]{32}|[A-Za-z0-9]{60}\.[A-Za-z0-9]{22})(?![A-Za-z0-9])/g],
  ['Figma', '-', /(?<![A-Za-z0-9-])\d{5,7}-[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}(?![A-Za-z0-9-])/g, isNoPlaceholder],
  ['GitHub', 'Iv', /(?<![A-Za-z0-9])Iv(?:1\.[a-f0-9]{16}|23[A-Za-z0-9]{16})(?![A-Za-z0-9])/g],
  ['NATS', 'S', /(?<![A-Za-z0-9])S[ACNOUX][A-Z2-7]{56}(?![A-Za-z0-9])/g, isRandom],
  ['Stellar', 'S', /(?<![A-Za-z0-9])S[A-Z2-7]{55}(?![A-Za-z0-9])/g, isRandom],
  ['Bitcoin', '', /(?<![A-Za-z0-9])(?:5[HJK][1-9A-HJ-NP-Za-km-z]{49}|[KL][1-9A-HJ-NP-Za-km-z]{51})(?![A-Za-z0-9])/g, isRandom],
  ['a service with macaroons', 'xvY2F0aW9uI', /(?<![A-Za-z0-9])MDA[A-Za-z0-9]{3}xvY2F0aW9uI[A-Za-z0-9+/=_-]{20,4000}/g],
  ['WeChat', 'wx', /(?<![A-Za-z0-9])wx[a-f0-9]{16}(?![A-Za-z0-9])/g, isDrawn],
  ['Convex', '|', /(?<![A-Za-z0-9])(?:prod|dev|preview):[a-z]{3,20}-[a-z]{3,20}-\d{1,4}\|[A-Za-z0-9+/=]{40,}/g],
  ['Beamer', 'b_', /(?<![A-Za-z0-9_-])b_[A-Za-z0-9+/=_-]{43,44}(?![A-Za-z0-9_-])/g, isDrawn],
  ['nobody known', '', /(?<![A-Za-z0-9._/-])(?!(?:pk|pub|ca|file|run|thread|msg|req|call|user|org|team|proj|id|uuid|sha\d{1,3}|md5|rev|v\d+|h1)[_-])[a-z][a-z0-9]{1,9}[_-](?:[a-z]{2,10}[_-]){0,2}[A-Za-z0-9]{22,200}/g, (text) => looksEncoded(text.replace(/^[a-z0-9]+[_-]/, ''))],
]; // prettier-ignore

/** Hashes of passwords, by the sign that they contain: crypt(3) and similar ones, LDAP, SCRAM, Django and Werkzeug, MySQL. */
const hashes: readonly (readonly [needs: string, form: RegExp])[] = [
  ['$', /\$(?:2[abxy]?\$\d{2}\$[./A-Za-z0-9]{20,60}|(?:apr1|1|5|6|7|y|gy|sha1|md5)\$[^\s$"']{1,100}\$[./A-Za-z0-9]{16,100}|(?:argon2(?:id|i|d)|scrypt|pbkdf2[\w-]{0,20})\$[A-Za-z0-9$=,./+-]{20,300})/g],
  ['}', /\{(?:S?SHA(?:256|384|512)?|S?MD5|CRYPT|PBKDF2[\w-]{0,20})\}[A-Za-z0-9+/.$=]{16,200}/g],
  ['$', /SCRAM-SHA-(?:1|256)\$\d{1,8}:[A-Za-z0-9+/=$:]{16,300}/g],
  ['$', /(?<![A-Za-z0-9])(?:pbkdf2_sha\d{1,3}|bcrypt_sha256|pbkdf2:sha\d{1,3}:\d{1,9}|scrypt:\d{1,7}:\d{1,3}:\d{1,3})\$[A-Za-z0-9$./+=]{20,300}/g],
  ['*', /(?<![A-Za-z0-9*])\*[0-9A-F]{40}(?![A-Za-z0-9])/g],
]; // prettier-ignore

const shapedTokens: readonly Format[] = [
  ...shapes.map(([vendor, needs, form, accept]) => ({
    rule: `token of ${vendor}`,
    needs,
    form,
    ...(accept && { accept: (match: RegExpExecArray, text: string) => accept(match[0], text) }),
  })),
  ...hashes.map(([needs, form]) => ({ rule: 'hash of a password', needs, form })),
];

/** Tokens whose form identifies them, and hashes of passwords. */
export const tokensIn = (text: string): readonly Finding[] => [
  ...prefixedTokens(text),
  ...inFormats(text, shapedTokens),
];
