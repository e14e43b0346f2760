import { credentialName } from './names.js';
import { looksRandom } from './randomness.js';
import { finding, type Finding } from './replacements.js';

/** A form that identifies a credential: the match, or its last group called `secret`. */
export interface Format {
  readonly rule: string;
  /** A text that every match contains, in exactly this case; empty if there is none. */
  readonly needs: string;
  /** Global, and with bounded repeats, because a text can be hostile. */
  readonly form: RegExp;
  readonly accept?: (match: RegExpExecArray, text: string) => boolean;
}

/** Finds the matches of these forms in a text. */
export function inFormats(text: string, formats: readonly Format[]): readonly Finding[] {
  const found: Finding[] = [];
  for (const { rule, needs, form, accept } of formats) {
    if (needs !== '' && !text.includes(needs)) continue;
    for (const match of text.matchAll(form)) {
      const secret = match.groups?.['secret'] ?? match[0];
      const start = match.index + match[0].lastIndexOf(secret);
      if (secret !== '' && accept?.(match, text) !== false)
        found.push(finding(rule, start, start + secret.length));
    }
  }
  return found;
}

/** What can be between the lines of a key in code, markup, quotations and comments. */
const between = String.raw`(?:[\s"'\x60,+\\;.&|#>*()]|</?[A-Za-z/! -]{1,11}>|&#?\w{1,6};|- )`;
/** A line begins at a mark, after markup or on a line of its own. */
const begun = String.raw`(?<=["'\x60>;,|\\(+]|\n[ \t#*>|-]{0,12}|-----)`;
const keyLine = '[A-Za-z0-9+/=]{16,2000}';
const keyHeader = '[A-Za-z][A-Za-z0-9-]{1,30}: (?:"[^"\\n]{0,80}"|[A-Za-z0-9 ,.:/+=@_()-]{0,100})';
const keyEnd = String.raw`(?:-{4,5} ?END[ +][A-Z0-9 +]{0,40}(?:PRIVATE[ +]KEY(?:[ +]BLOCK)?)?(?: ?-{0,5})|Private-MAC: ?[0-9a-f]{0,64})`;
const keyBegin = String.raw`(?:-{4,5} ?BEGIN[ +](?:[A-Z0-9 +]{0,40}PRIVATE[ +]KEY(?:[ +]BLOCK)?(?: ?-{4,5})?|[A-Z0-9 +]{1,60}-{4,5})|PuTTY-User-Key-File-\d: ?[\w-]{0,30})`;
const keyBody = `(?:(?:${between}{0,40}${begun}${keyHeader}){0,8}${between}{0,40}${begun}${keyLine}){0,400}(?:${between}{0,40}[A-Za-z0-9+/=]{1,15}(?=${between}{0,40}(?:-{2}|Private-MAC)))?`;

/** PEM (RFC 7468) of any kind, OpenPGP armour (RFC 9580), PuTTY and SSH2 keys, whole or as far as they were logged. */
export const privateKeys: readonly Format[] = [
  {
    rule: 'private key',
    needs: '',
    form: new RegExp(`${keyBegin}${keyBody}(?:${between}{0,40}${keyEnd})?`, 'g'),
  },
  {
    rule: 'private key',
    needs: '-----END ',
    form: /(?:[A-Za-z0-9+/=]{16,100}\s{1,4}){1,80}[A-Za-z0-9+/=]{0,100}\s{0,4}-----END [A-Z ]{0,40}PRIVATE KEY[ A-Z]{0,10}-----/g,
  },
  {
    rule: 'private key',
    needs: 'LS0tLS1CRUdJTi',
    form: /(?<![A-Za-z0-9+/])LS0tLS1CRUdJTi[A-Za-z0-9+/]{10,}={0,2}/g,
  },
  { rule: 'private key', needs: 'AGE-SECRET', form: /AGE-SECRET-KEY-1[A-Z0-9]{10,}/g },
];

const headerNames = /"(?:alg|typ|kid|enc|cty|zip|x5t|jku|b64)"/;
const hasHeader = ({ 0: token }: RegExpExecArray): boolean =>
  headerNames.test(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString('latin1'));

/** JSON Web Tokens (RFC 7519): signed, encrypted or unsigned, and also encoded in base64 once more. */
const webTokens: readonly Format[] = [
  {
    rule: 'web token',
    needs: 'ey',
    form: /e(?:yJ|w0K|yA|yI|yAi)[\w-]{8,2000}={0,2}\.[\w=+/-]{2,8000}(?:\.[\w=+/-]{0,8000}){0,3}/g,
    accept: hasHeader,
  },
  {
    rule: 'web token',
    needs: '',
    form: /(?:ZXlK|eyJrIjoi|eyJhbGci|eyJ0eXAi|eyJraWQi)(?<![A-Za-z0-9_-](?:ZXlK|eyJrIjoi))[A-Za-z0-9+/_-]{40,}={0,2}/g,
  },
];

/** Users and passwords in addresses, with a scheme or in the forms of drivers. */
const userInfos: readonly Format[] = [
  {
    rule: 'user and password in an address',
    needs: '@',
    form: /(?<=:\/\/)[^\s"'<>@/:]{0,200}:(?!\d{1,5}[/?#,|])[^\s"'<>]{1,300}(?=@[\w.[%-])/g,
  },
  {
    rule: 'user and password in an address',
    needs: '@',
    form: /(?<=:\/\/)[^\s"'<>@/:?#]{0,200}:[^\s"'<>@/?#]{1,300}(?=@)/g,
  },
  {
    rule: 'user and password in an address',
    needs: '://',
    form: /(?<=:\/\/)[^\s"'<>@/:?#]{1,60}:(?!\d{1,5}(?:\D|$))[^\s"'<>@/?#]{3,200}$/g,
  },
  { rule: 'token in an address', needs: '@', form: /(?<=:\/\/)[\w-]{16,300}(?=@)/g },
  {
    rule: 'user and password of a driver',
    needs: '@',
    form: /(?<![\w.-])[\w.-]{1,60}:[^\s"'/]{1,100}(?=@(?:tcp|udp|unix|cloudsql)\()/g,
  },
  {
    rule: 'user and password of a driver',
    needs: '@',
    form: /(?<![\w./-])[\w.-]{1,60}\/(?:'[^'\n]{1,100}'|[^\s"'@/,()[\]]{1,100})(?=@(?:\/\/|\(DESC|tcps?:|[\w.-]{1,100}:\d{2,5}\/))/gi,
  },
  {
    rule: 'user and password of a driver',
    needs: ':',
    form: /(?<=:(?:thin|oci8?):)[^\s/@"']{1,60}\/[^\s@"']{1,100}(?=@)/g,
  },
];

/** Addresses that are credentials themselves: anybody who knows one can post to it. */
const webHooks: readonly Format[] = [
  {
    rule: 'web hook',
    needs: '/',
    form: /(?<=[a-z]\/)(?:(?<=hooks\.slack(?:-gov)?\.com\/)(?:services|workflows|triggers)\/[A-Za-z0-9+/_-]{8,}|(?<=discord(?:app)?\.com\/api\/(?:v\d{1,2}\/)?webhooks\/)\d{5,}\/[A-Za-z0-9_-]{10,}|(?<=\.webhook\.office\.com\/)webhookb?2?\/[^\s"'<>]{20,}|(?<=hooks\.zapier\.com\/hooks\/)catch\/[\w/]{6,}|(?<=api\.telegram\.org\/)bot[^\s"'<>/]{10,}|(?<=chat\.googleapis\.com\/v1\/spaces\/)[^\s"'<>]{10,}|(?<=outlook\.office(?:365)?\.com\/webhook\/)[^\s"'<>]{20,}|(?<=maker\.ifttt\.com\/)(?:trigger|use)\/[^\s"'<>]{8,}|(?<=logic\.azure\.com(?::\d{1,5})?\/workflows\/)[^\s"'<>]{20,}|(?<=open\.(?:larksuite|feishu)\.c(?:om|n)\/open-apis\/bot\/(?:v2\/)?hook\/)[\w-]{16,}|(?<=[\w-]\.tines\.(?:com|io)\/webhook\/)[\w/-]{20,}|(?<=hook\.[a-z]{2}\d?\.make\.com\/)\w{16,}|(?<=events\.pagerduty\.com\/(?:v2\/)?integration\/)[A-Za-z0-9]{32}|(?<=http-intake\.logs\.(?:\w{1,8}\.)?datadoghq\.(?:com|eu)\/v1\/input\/)[a-f0-9]{32}|(?<=\/hooks\/)(?:[a-z0-9]{26}|[A-Za-z0-9]{17,24}\/[A-Za-z0-9]{40,64})(?![A-Za-z0-9/]))/g,
  },
];

/** In prose, words follow `basic` and `token`; credentials have digits, or base64's padding, or mixed case. */
function followsScheme({ groups }: RegExpExecArray): boolean {
  const secret = groups?.['secret'] ?? '';
  if (secret.endsWith('=')) return true;
  const isMixed = /[a-z][A-Z]|[A-Z]{2}[a-z]/.test(secret);
  if (/^[A-Za-z]+$/.test(secret) && !isMixed) return secret.length >= 32;
  return looksRandom(secret, 8) || (secret.length >= 12 && isMixed);
}

/** Credentials in the syntax of headers, command lines, SQL and protocols. */
const logins: readonly Format[] = [
  {
    rule: 'scheme of authentication',
    needs: '',
    form: /(?<![A-Za-z])(?:bearer|basic|token|digest|negotiate|splunk|ssws|genie-?key|(?:api|access|secret|auth)[ _-]?(?:key|token))[ \t+]{1,4}(?<secret>[A-Za-z0-9_~+/.:=|-]{6,4000})/gi,
    accept: followsScheme,
  },
  {
    rule: 'digest authentication',
    needs: '="',
    form: /(?<=\bdigest\s{1,4})\w{1,20}="[^"\n]{0,300}"(?:,\s{0,4}\w{1,20}=(?:"[^"\n]{0,300}"|[^\s",]{1,300})){0,12}/gi,
  },
  {
    rule: 'signature of a request',
    needs: '=',
    form: /(?<=(?:AWS4-HMAC-SHA256|OAuth)\s{1,3})(?:Credential|realm|oauth_[a-z_]{1,30})=[^\n]{1,2000}/g,
  },
  {
    rule: 'user of a command',
    needs: '-',
    form: /(?<=(?:^|\s)(?:-u|--user|--proxy-user|-U)(?:=|\s{0,5}))(?:"[^"\n]{1,100}":"?[^"\n]{1,200}|"[^"\n]{0,100}:[^"\n]{0,200}"?|'[^'\n]{0,100}:[^'\n]{0,200}'?|[^\s"':]{1,100}["']?:["']?[^\s"'/][^\s"']{0,200})/g,
    accept: ({ 0: user }) => !/^\d{1,6}:\d{1,6}$/.test(user),
  },
  {
    rule: 'password of a command',
    needs: '-p',
    form: /(?<=\b(?:mysql\w{0,10}|mariadb(?:-\w{1,10})?|sshpass|docker login|mongo\w{0,8}|az login)\b[^\n]{0,200}\s-p)\s?(?:'[^'\n]{1,200}|"[^"\n]{1,200}|(?![-\s])[^\s]{1,400})/g,
  },
  {
    rule: 'password of a command',
    needs: '-',
    form: /(?<=\b(?:ldap(?:search|modify|add|delete|whoami)|redis-cli|smb(?:client|map|get)|htpasswd|rabbitmqadmin|openssl|keytool)\b[^\n]{0,120}\s(?:-w|-a|-nb|-b \S{1,80}|-c -b \S{1,80}|-U|-passin pass:|-passout pass:|-storepass|-keypass)\s{0,3})(?!-|\\{1,8}["'])(?:'[^'\n]{1,200}|"[^"\n]{1,200}|[^\s"']{1,100}(?: [^\s"'-][^\s"']{1,100})?)/g,
  },
  {
    rule: 'password of a command',
    needs: '',
    form: /(?<=\bnet(?:\.exe)? user \w{1,40} )(?![/\\])(?:(?<!\bwas\b[^\n]{0,120})(?![^\n]{0,201}\bwas\b)\S[^\n]{0,200}|\S[^\n]{0,200}\/add)|(?<=\bnet use (?:[a-z]:|\\{2,8}\w\S{1,100}) )(?=[^\n]{0,200}\/user:\S)[^\n]{1,300}|(?<=\bLOGIN \S{1,60} )\S{4,200}$/gm,
  },
  {
    // The result of a test is also written `PASS`: a file, a number or words follow it.
    rule: 'password of a command',
    needs: 'PASS ',
    form: /(?<=\bUSER \S{1,60}\s{1,3}PASS )\S{1,200}|(?<=^[^A-Za-z\n]{0,60}PASS )(?!\S{0,200}\.(?:[cm]?[jt]sx?|py|go|rb|java|kt|php|cs)$)\S{1,200}(?=[^\S\n]{0,8}$)|(?<=\bPASS )(?=\S{0,199}[A-Za-z])(?=\S{0,199}\d)[^\s/]{6,200}(?=\s|$)/gm,
  },
  {
    rule: 'password of a secure string',
    needs: '',
    form: /(?<=ConvertTo-SecureString\s(?:-\w{1,20}\s){0,3})["']?(?<secret>[^\s"'$-][^"'\n]{0,200}?)(?=["']| -|$)|(?<=["'])(?<piped>[^"'\n$]{1,200})(?=["']\s{0,4}\|\s{0,4}ConvertTo-SecureString)/gi,
  },
  {
    rule: 'password set by SQL',
    needs: '',
    form: /(?<=\bidentified\s{1,3}(?:with\s{1,3}\w{1,30}\s{1,3})?(?:by|as)\s{1,3}(?:values\s{1,3}|password\s{1,3})?["'])(?=[^"'\n]*["'](?!,))[^"'\n]{1,200}|(?<=\b(?:create|alter|grant)\b[^\n]{1,120}\bidentified by )(?!random\b|values\b|password\b)\w[^\s;"']{0,100}/gi,
  },
  {
    rule: 'arguments of a login',
    needs: '(',
    accept: ({ 0: args }) => /["']/.test(args),
    form: /(?<=(?:basic_?auth(?:entication)?|passwordauthentication|credentials?(?:\.basic)?|getconnection|new pdo|\.login|\.authenticate|\.auth|\.simple_bind_s|mysqli|mysqli_connect|\w{2,6}_(?:connect|login|bind|auth_password)|(?:pymysql|psycopg2|mysqldb|mysql\.connector|cx_oracle|oracledb|pyodbc|pymssql)\.connect)\s?\(\s{0,4})(?:"[^"\n]{0,200}"|'[^'\n]{0,200}'|[\w.$]{1,60})(?:\s{0,4},\s{0,4}(?:"[^"\n]{0,200}"|'[^'\n]{0,200}'|[\w.$]{1,60})){1,7}/gi,
  },
  {
    rule: 'rows of an insert',
    needs: '(',
    accept: ({ groups }) =>
      (groups?.['columns'] ?? '').split(/[\s,`"']+/).some((column) => credentialName(column) === 'strong'),
    form: /\binsert\s{1,4}into\s{1,4}[^\s(]{1,80}\s{0,4}\((?<columns>[^()]{1,500})\)\s{0,4}values?\s{0,4}\((?<secret>(?:'(?:''|[^']){0,500}'?|"[^"]{0,500}"?|\)\s{0,4},\s{0,4}\(|[^()'"]){1,2000})/gi,
  },
  {
    rule: 'login of .netrc',
    needs: 'login',
    form: /(?<=\blogin\s{1,4})\S{1,100}\s{1,4}password\s{1,4}[^\s"']{2,200}/g,
  },
  {
    rule: 'line of .pgpass',
    needs: ':',
    form: /(?<=(?:^|\n)(?:\*|[\w.-]{1,100}):(?:\*|\d{2,5}):(?:\*|[\w-]{1,60}):(?:\*|[\w-]{1,60}):)(?=[^\s:]*[\w!?])[^\s:]{6,200}(?=\s|$)/g,
  },
  {
    rule: 'private part of a web key',
    needs: '"kty"',
    form: /(?<="(?:d|k|p|q|dp|dq|qi)"\s{0,4}:\s{0,4}")[A-Za-z0-9_-]{16,2000}/g,
  },
];

export const otherFormats: readonly Format[] = [...webTokens, ...userInfos, ...webHooks, ...logins]; // prettier-ignore
