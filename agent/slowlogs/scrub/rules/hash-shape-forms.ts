import { blanksFrom } from './blanks.js';
import type { TokenShape } from './token-shape.js';
import { skip } from './reading.js';
import { longHashStart, mayBeginHash, nowhere, ofNames, userStart } from './token-shape-starts.js';

const [colon, closingBrace] = [58, 125];

/** Hashes of passwords, lines that log in, and keys that their place in JSON tells. */
export const hashShapeForms: readonly TokenShape[] = [
  // Hashes of passwords: bcrypt, crypt(3), argon2, scrypt, PBKDF2, Apache's MD5
  {
    form: /\$(?:2[abxy]?\$\d{2}\$[./A-Za-z0-9]{20,60}|(?:apr1|1|5|6|7|y|gy|sha1|md5)\$[^\s$"']{1,100}\$[./A-Za-z0-9]{16,100}|(?:argon2(?:id|i|d)|scrypt|pbkdf2[\w-]{0,20})\$[A-Za-z0-9$=,./+-]{20,300})/y,
    signs: [{ sign: '$', after: '[0-9a-z]', start: (units, at) => (mayBeginHash(units, at) ? at : nowhere) }],
  },
  // Hashes of LDAP and PostgreSQL
  {
    form: /\{(?:S?SHA(?:256|384|512)?|S?MD5|CRYPT|PBKDF2[\w-]{0,20})\}[A-Za-z0-9+/.$=]{16,200}|SCRAM-SHA-(?:1|256)\$\d{1,8}:[A-Za-z0-9+/=$:]{16,300}/y,
    signs: [
      {
        sign: '{',
        after: '[SMCP]',
        start: (units, at) => (units.at(skip(units, ofNames, at + 1, 28)) === closingBrace ? at : nowhere),
      },
      { sign: 'SCRAM-SHA-', start: (_, at) => at },
    ],
  },
  // .netrc: who logs in, and the password
  {
    form: /(?<=\blogin\s{1,4})\S{1,100}\s{1,4}password\s{1,4}[^\s"']{2,200}/y,
    signs: [{ sign: 'login', before: '[^A-Za-z0-9_]', start: (units, at) => userStart(units, at + 5) }],
  },
  // Hashes of passwords of Django and Werkzeug, and of MySQL
  {
    form: /(?<![A-Za-z0-9])(?:pbkdf2_sha\d{1,3}|bcrypt_sha256|pbkdf2:sha\d{1,3}:\d{1,9}|scrypt:\d{1,7}:\d{1,3}:\d{1,3})\$[A-Za-z0-9$./+=]{20,300}/y,
    signs: [
      { sign: 'pbkdf2', before: '[^A-Za-z0-9]', start: longHashStart },
      { sign: 'bcrypt_sha256', before: '[^A-Za-z0-9]', start: longHashStart },
      { sign: 'scrypt:', before: '[^A-Za-z0-9]', start: longHashStart },
    ],
  },
  {
    form: /(?<![A-Za-z0-9*])\*[0-9A-F]{40}(?![A-Za-z0-9])/y,
    signs: [
      {
        sign: '*',
        before: '[^A-Za-z0-9*]',
        after: '[0-9A-F]',
        far: [41, '[^A-Za-z0-9]'],
        start: (_, at) => at,
      },
    ],
  },
  // The private parts of JSON Web Keys (RFC 7518, 6), of which only a key's type tells them
  {
    form: /(?<="(?:d|k|p|q|dp|dq|qi)"\s{0,4}:\s{0,4}")[A-Za-z0-9_-]{16,2000}/y,
    needs: 'kty',
    signs: [
      {
        sign: '"',
        before: '[\\s:\\0]',
        after: '[\\w-]',
        far: [16, '[\\w-]'],
        start: (units, at) => (units.at(blanksFrom(units, at, 4) - 1) === colon ? at + 1 : nowhere),
      },
    ],
  },
];
