import type { Rule } from '../view.js';
import { matchesOf } from './matches.js';

/** Tokens without a prefix to look up, known by how they are put together, each with what its text must hold: all of it, set apart by blanks. */
const shapes: readonly (readonly [needs: string, form: RegExp])[] = [
  // Telltale, right behind anything
  ['tt_', /tt_[a-z2-7]{12}_[A-Za-z0-9_-]{43,}/g],
  // Slack, right behind other letters
  ['xox', /xox[abeoprs]-\d{9,16}-[A-Za-z0-9-]{16,512}/g],
  // Discord: the digits of an id in base64, a time, a signature
  [
    '.',
    /(?<![A-Za-z0-9_-])[A-Za-z0-9]{0,2}?[MNO][A-Za-z0-9_-]{23,25}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,}[^\s"'<>,;&]{0,40}/g,
  ],
  // Telegram
  [':', /(?<![A-Za-z0-9])(?:bot)?\d{5,16}:(?:AA[A-Za-z0-9_-]{30,36}|[A-Za-z0-9_-]{35})(?![A-Za-z0-9_-])/g],
  // HashiCorp Vault before 1.10
  ['.', /(?<![A-Za-z0-9])[sbr]\.(?=[A-Za-z]*\d)[A-Za-z0-9]{24}(?![A-Za-z0-9])/g],
  // Mailchimp, Mailgun
  ['-us', /(?<![A-Za-z0-9])[0-9a-f]{32}-us\d{1,2}(?!\d)/g],
  ['-', /(?<![A-Za-z0-9])[0-9a-h]{32}-[0-9a-h]{8}-[0-9a-h]{8}(?![A-Za-z0-9-])/g],
  // 1Password: the secret key of an account
  [
    'A3-',
    /(?<![A-Za-z0-9])A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}/g,
  ],
  // Facebook: an app and its secret
  ['|', /(?<![A-Za-z0-9])\d{13,16}\|[A-Za-z0-9_-]{24,}/g],
  // Terraform
  ['.atlasv1.', /(?<![A-Za-z0-9])[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{40,}/g],
  // Artifactory
  ['AP', /(?<![A-Za-z0-9])AP[0-9A-F](?=[A-Za-z]*[a-z0-9])[A-Za-z0-9]{10,}/g],
  // Asana
  [': /', /(?<![A-Za-z0-9])[012]\/\d{13,20}(?:\/\d{13,20})?:[a-f0-9]{32}/g],
  // Kubernetes: the token of a new node
  ['.', /(?<![A-Za-z0-9.-])(?=[a-z]*\d)[a-z0-9]{6}\.(?=[a-z]*\d)[a-z0-9]{16}(?![A-Za-z0-9.-])/g],
  // Jenkins
  ['11', /(?<![A-Za-z0-9])11[0-9a-f]{32}(?![A-Za-z0-9])/g],
  // Hashes of passwords: bcrypt, crypt(3), argon2, scrypt, PBKDF2, Apache's MD5
  [
    '$',
    /\$(?:2[abxy]?\$\d{2}\$[./A-Za-z0-9]{20,60}|(?:apr1|1|5|6|7|y|gy|sha1|md5)\$[^\s$"']{1,100}\$[./A-Za-z0-9]{16,100}|(?:argon2(?:id|i|d)|scrypt|pbkdf2[\w-]{0,20})\$[A-Za-z0-9$=,./+-]{20,300})/g,
  ],
  // Hashes of LDAP and PostgreSQL
  [
    '',
    /\{(?:S?SHA(?:256|384|512)?|S?MD5|CRYPT|PBKDF2[\w-]{0,20})\}[A-Za-z0-9+/.$=]{16,200}|SCRAM-SHA-(?:1|256)\$\d{1,8}:[A-Za-z0-9+/=$:]{16,300}/g,
  ],
  // .netrc: who logs in, and the password
  ['login password', /(?<=\blogin\s{1,4})\S{1,100}\s{1,4}password\s{1,4}[^\s"']{2,200}/g],
  // Azure: shared access signatures
  ['sig=', /(?<=[?&;]sig=)[A-Za-z0-9%+/=_-]{20,200}/g],
  // Sentry: the key of a DSN
  ['@ ://', /(?<=https?:\/\/)[0-9a-f]{32}(?=@[\w.-]{1,100}\/\d)/g],
  // Firebase: server keys of Cloud Messaging
  [':APA91b', /(?<![A-Za-z0-9_-])[A-Za-z0-9_-]{7,16}:APA91b[A-Za-z0-9_-]{20,200}/g],
  // MaxMind, New Relic: marks at the end
  ['_mmk', /(?<![A-Za-z0-9_])[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk(?![A-Za-z0-9])/g],
  ['NRAL', /(?<![A-Za-z0-9])[A-Fa-f0-9x]{4,8}[A-Za-z0-9]{28,32}NRAL(?![A-Za-z0-9])/g],
  // Ably
  [
    ': .',
    /(?<![A-Za-z0-9._-])[A-Za-z0-9_-]{6}\.(?=[A-Za-z_-]*\d)[A-Za-z0-9_-]{6}:[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])/g,
  ],
  // PagerDuty
  ['+', /(?<![A-Za-z0-9+/=_-])[uy]\+(?=[A-Za-z_+-]*\d)[A-Za-z0-9_+-]{18}(?![A-Za-z0-9+/=_-])/g],
  // Hashes of passwords of Django and Werkzeug, and of MySQL
  [
    '$',
    /(?<![A-Za-z0-9])(?:pbkdf2_sha\d{1,3}|bcrypt_sha256|pbkdf2:sha\d{1,3}:\d{1,9}|scrypt:\d{1,7}:\d{1,3}:\d{1,3})\$[A-Za-z0-9$./+=]{20,300}/g,
  ],
  ['*', /(?<![A-Za-z0-9*])\*[0-9A-F]{40}(?![A-Za-z0-9])/g],
  // The private parts of JSON Web Keys (RFC 7518, 6)
  ['kty', /(?<="(?:d|k|p|q|dp|dq|qi)"\s{0,4}:\s{0,4}")[A-Za-z0-9_-]{16,2000}/g],
  // Twilio
  ['', /(?<![A-Za-z0-9])(?:AC|SK)(?:[0-9a-z]{32}|[0-9a-fA-F]{32})(?![A-Za-z0-9])/g],
];

export const tokenShapes: Rule = {
  name: 'token-shapes',
  find: (view) =>
    shapes.flatMap(([needs, form]) =>
      needs.split(' ').every((need) => view.plain.includes(need)) ? matchesOf(view, form) : [],
    ),
};
