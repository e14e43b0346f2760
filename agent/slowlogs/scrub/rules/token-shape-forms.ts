import { isDigit, isOfWord } from '../letter-trie.js';
import type { Units } from '../units.js';
import { behindBlanks, blanksFrom, isBlank } from './blanks.js';
import { Alphabet } from './runs.js';
import type { Sign } from './sign-places.js';
import { behindOneOf, isAt } from './words-at.js';

interface TokenShape {
  readonly form: RegExp;
  /** Each has one of them, from which its beginning is told: the form is tried there alone. */
  readonly signs: readonly Sign[];
  /** What a text must hold as well, wherever. */
  readonly needs?: string;
}

const nowhere = -1;
const [dollar, colon, closingBrace] = [36, 58, 125];

const ofNames = Alphabet.of('[A-Za-z0-9_-]');
const isOfName = (code: number): boolean => ofNames.has(code);

/** Where a run begins that ends at a place, -1 where it has another length. */
function runStart(
  units: Units,
  end: number,
  least: number,
  most: number,
  isOf: (code: number) => boolean,
): number {
  let start = end;
  while (start >= end - most && isOf(units.at(start - 1))) start -= 1;
  return start <= end - least && start >= end - most ? start : nowhere;
}

function runEnd(units: Units, start: number, most: number): number {
  let end = start;
  while (end < start + most && isOfName(units.at(end))) end += 1;
  return end;
}

/** A place that no letter or digit stands before. */
const behindWord = (units: Units, start: number): number => (isOfWord(units.at(start - 1)) ? nowhere : start);

/** The number of a bot, before which its kind may stand. */
function botStart(units: Units, end: number): number {
  const number = runStart(units, end, 5, 16, isDigit);
  return number === nowhere
    ? nowhere
    : behindWord(units, isAt(units, number - 3, 'bot') ? number - 3 : number);
}

const ofWords = Alphabet.of('[A-Za-z0-9]');
const ofHashes = Alphabet.of('[./A-Za-z0-9]');
const ofParameters = Alphabet.of('[A-Za-z0-9$=,./+-]');

/** Whether an algorithm stands behind a dollar, and what it needs behind another, or behind two. */
function mayBeginHash(units: Units, at: number): boolean {
  const second = runEnd(units, at + 1, 27);
  if (units.at(second) !== dollar || (second === at + 2 && !ofShortNames.has(units.at(at + 1)))) return false;
  if (ofLongNames.has(units.at(at + 1)) && behindOneOf(units, at + 1, longNames) !== nowhere)
    return goesOn(units, second + 1, ofParameters, 20);
  let third = second + 1;
  while (third <= second + 100 && units.at(third) !== dollar) third += 1;
  return units.at(third) === dollar && goesOn(units, third + 1, ofHashes, 16);
}
const longNames = ['argon2', 'scrypt', 'pbkdf2'];
const ofShortNames = Alphabet.of('[1567y]');
const ofLongNames = Alphabet.of('[asp]');

/** A hash of Django's or Werkzeug's, behind the dollar that its algorithm ends with. */
function longHashStart(units: Units, at: number): number {
  let end = at;
  while (end < at + 30 && ofAlgorithms.has(units.at(end))) end += 1;
  return units.at(end) === dollar && goesOn(units, end + 1, ofLongHashes, 20) ? at : nowhere;
}
const ofAlgorithms = Alphabet.of('[\\w:]');
const ofLongHashes = Alphabet.of('[A-Za-z0-9$./+=]');

function goesOn(units: Units, from: number, alphabet: Alphabet, length: number): boolean {
  for (let at = from; at < from + length; at += 1) if (!alphabet.has(units.at(at))) return false;
  return true;
}

/** Where the name stands that a password follows. */
function userStart(units: Units, end: number): number {
  const start = behindBlanks(units, end, 4);
  if (start === end) return nowhere;
  let user = start;
  while (user <= start + 100 && user < units.length && !isBlank(units.at(user))) user += 1;
  return isAt(units, behindBlanks(units, user, 4), 'password') ? start : nowhere;
}

/** Tokens without a prefix to look up, known by how they are put together. */
export const tokenShapeForms: readonly TokenShape[] = [
  // Telltale, right behind anything
  {
    form: /tt_[a-z2-7]{12}_[A-Za-z0-9_-]{43,}/y,
    signs: [{ sign: 'tt_', far: [15, '[_]'], start: (_, at) => at }],
  },
  // Slack, right behind other letters
  {
    form: /xox[abeoprs]-\d{9,16}-[A-Za-z0-9-]{16,512}/y,
    signs: [{ sign: 'xox', far: [4, '[-]'], start: (_, at) => at }],
  },
  // Discord: the digits of an id in base64, a time, a signature
  {
    form: /(?<![A-Za-z0-9_-])[A-Za-z0-9]{0,2}?[MNO][A-Za-z0-9_-]{23,25}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,}[^\s"'<>,;&]{0,40}/y,
    signs: [
      {
        sign: '.',
        before: '[\\w-]',
        after: '[\\w-]',
        far: [7, '[.]'],
        start: (units, at) => runStart(units, at, 24, 28, isOfName),
      },
    ],
  },
  // Telegram
  {
    form: /(?<![A-Za-z0-9])(?:bot)?\d{5,16}:(?:AA[A-Za-z0-9_-]{30,36}|[A-Za-z0-9_-]{35})(?![A-Za-z0-9_-])/y,
    signs: [
      {
        sign: ':',
        before: '\\d',
        after: '[\\w-]',
        far: [32, '[\\w-]'],
        start: botStart,
      },
    ],
  },
  // HashiCorp Vault before 1.10
  {
    form: /(?<![A-Za-z0-9])[sbr]\.(?=[A-Za-z]*\d)[A-Za-z0-9]{24}(?![A-Za-z0-9])/y,
    signs: [
      {
        sign: '.',
        before: '[sbr]',
        after: '[A-Za-z0-9]',
        far: [25, '[^A-Za-z0-9]'],
        start: (units, at) => behindWord(units, at - 1),
      },
    ],
  },
  // Mailchimp, Mailgun
  {
    form: /(?<![A-Za-z0-9])[0-9a-f]{32}-us\d{1,2}(?!\d)/y,
    signs: [
      {
        sign: '-us',
        before: '[0-9a-f]',
        far: [3, '[0-9]'],
        start: (units, at) => behindWord(units, at - 32),
      },
    ],
  },
  {
    form: /(?<![A-Za-z0-9])[0-9a-h]{32}-[0-9a-h]{8}-[0-9a-h]{8}(?![A-Za-z0-9-])/y,
    signs: [
      {
        sign: '-',
        before: '[0-9a-h]',
        after: '[0-9a-h]',
        far: [9, '[-]'],
        start: (units, at) => behindWord(units, at - 32),
      },
    ],
  },
  // 1Password: the secret key of an account
  {
    form: /(?<![A-Za-z0-9])A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}/y,
    signs: [
      {
        sign: 'A3-',
        before: '[^A-Za-z0-9]',
        far: [9, '[-]'],
        start: (_, at) => at,
      },
    ],
  },
  // Facebook: an app and its secret
  {
    form: /(?<![A-Za-z0-9])\d{13,16}\|[A-Za-z0-9_-]{24,}/y,
    signs: [
      {
        sign: '|',
        before: '\\d',
        after: '[\\w-]',
        far: [24, '[\\w-]'],
        start: (units, at) => runStart(units, at, 13, 16, isDigit),
      },
    ],
  },
  // Terraform
  {
    form: /(?<![A-Za-z0-9])[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{40,}/y,
    signs: [{ sign: '.atlasv1.', before: '[A-Za-z0-9]', start: (units, at) => behindWord(units, at - 14) }],
  },
  // Artifactory
  {
    form: /(?<![A-Za-z0-9])AP[0-9A-F](?=[A-Za-z]*[a-z0-9])[A-Za-z0-9]{10,}/y,
    signs: [
      {
        sign: 'AP',
        before: '[^A-Za-z0-9]',
        far: [12, '[A-Za-z0-9]'],
        start: (units, at) => (goesOn(units, at, ofWords, 13) ? at : nowhere),
      },
    ],
  },
  // Asana
  {
    form: /(?<![A-Za-z0-9])[012]\/\d{13,20}(?:\/\d{13,20})?:[a-f0-9]{32}/y,
    signs: [
      {
        sign: '/',
        before: '[012]',
        after: '\\d',
        far: [13, '[0-9]'],
        start: (units, at) => behindWord(units, at - 1),
      },
    ],
  },
  // Kubernetes: the token of a new node
  {
    form: /(?<![A-Za-z0-9.-])(?=[a-z]*\d)[a-z0-9]{6}\.(?=[a-z]*\d)[a-z0-9]{16}(?![A-Za-z0-9.-])/y,
    signs: [
      {
        sign: '.',
        before: '[a-z0-9]',
        after: '[a-z0-9]',
        far: [17, '[^A-Za-z0-9]'],
        start: (units, at) => behindWord(units, at - 6),
      },
    ],
  },
  // Jenkins
  {
    form: /(?<![A-Za-z0-9])11[0-9a-f]{32}(?![A-Za-z0-9])/y,
    signs: [{ sign: '11', before: '[^A-Za-z0-9]', far: [34, '[^A-Za-z0-9]'], start: (_, at) => at }],
  },
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
        start: (units, at) => (units.at(runEnd(units, at + 1, 28)) === closingBrace ? at : nowhere),
      },
      { sign: 'SCRAM-SHA-', start: (_, at) => at },
    ],
  },
  // .netrc: who logs in, and the password
  {
    form: /(?<=\blogin\s{1,4})\S{1,100}\s{1,4}password\s{1,4}[^\s"']{2,200}/y,
    signs: [{ sign: 'login', before: '[^A-Za-z0-9_]', start: (units, at) => userStart(units, at + 5) }],
  },
  // Azure: shared access signatures
  {
    form: /(?<=[?&;]sig=)[A-Za-z0-9%+/=_-]{20,200}/y,
    signs: [
      {
        sign: 'sig=',
        before: '[?&;]',
        far: [23, '[A-Za-z0-9%+/=_-]'],
        start: (_, at) => at + 4,
      },
    ],
  },
  // Sentry: the key of a DSN
  {
    form: /(?<=https?:\/\/)[0-9a-f]{32}(?=@[\w.-]{1,100}\/\d)/y,
    signs: [
      {
        sign: '://',
        before: '[ps]',
        far: [35, '[@]'],
        start: (_, at) => at + 3,
      },
    ],
  },
  // Firebase: server keys of Cloud Messaging
  {
    form: /(?<![A-Za-z0-9_-])[A-Za-z0-9_-]{7,16}:APA91b[A-Za-z0-9_-]{20,200}/y,
    signs: [
      {
        sign: ':APA91b',
        before: '[\\w-]',
        far: [26, '[\\w-]'],
        start: (units, at) =>
          goesOn(units, at + 7, ofNames, 20) ? runStart(units, at, 7, 16, isOfName) : nowhere,
      },
    ],
  },
  // MaxMind, New Relic: marks at the end
  {
    form: /(?<![A-Za-z0-9_])[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk(?![A-Za-z0-9])/y,
    signs: [
      {
        sign: '_mmk',
        before: '[A-Za-z0-9]',
        far: [-30, '[_]'],
        start: (units, at) => behindWord(units, at - 36),
      },
    ],
  },
  {
    form: /(?<![A-Za-z0-9])[A-Fa-f0-9x]{4,8}[A-Za-z0-9]{28,32}NRAL(?![A-Za-z0-9])/y,
    signs: [
      {
        sign: 'NRAL',
        before: '[A-Za-z0-9]',
        far: [4, '[^A-Za-z0-9]'],
        start: (units, at) => runStart(units, at, 32, 40, isOfWord),
      },
    ],
  },
  // Ably
  {
    form: /(?<![A-Za-z0-9._-])[A-Za-z0-9_-]{6}\.(?=[A-Za-z_-]*\d)[A-Za-z0-9_-]{6}:[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])/y,
    signs: [
      {
        sign: '.',
        before: '[\\w-]',
        after: '[\\w-]',
        far: [7, '[:]'],
        start: (_, at) => at - 6,
      },
    ],
  },
  // PagerDuty
  {
    form: /(?<![A-Za-z0-9+/=_-])[uy]\+(?=[A-Za-z_+-]*\d)[A-Za-z0-9_+-]{18}(?![A-Za-z0-9+/=_-])/y,
    signs: [
      {
        sign: '+',
        before: '[uy]',
        after: '[\\w+-]',
        far: [19, '[^A-Za-z0-9_+-]'],
        start: (_, at) => at - 1,
      },
    ],
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
  // Twilio
  {
    form: /(?<![A-Za-z0-9])(?:AC|SK)(?:[0-9a-z]{32}|[0-9a-fA-F]{32})(?![A-Za-z0-9])/y,
    signs: [
      { sign: 'AC', before: '[^A-Za-z0-9]', far: [34, '[^A-Za-z0-9]'], start: (_, at) => at },
      { sign: 'SK', before: '[^A-Za-z0-9]', far: [34, '[^A-Za-z0-9]'], start: (_, at) => at },
    ],
  },
];
