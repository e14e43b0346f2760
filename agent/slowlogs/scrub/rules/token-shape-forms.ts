import { isDigit, isOfWord } from '../letter-trie.js';
import type { TokenShape } from './token-shape.js';
import {
  behindWord,
  botStart,
  goesOn,
  isOfName,
  nowhere,
  ofNames,
  ofWords,
  runStart,
} from './token-shape-starts.js';

/** Of vendors. */
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
  // Twilio
  {
    form: /(?<![A-Za-z0-9])(?:AC|SK)(?:[0-9a-z]{32}|[0-9a-fA-F]{32})(?![A-Za-z0-9])/y,
    signs: [
      { sign: 'AC', before: '[^A-Za-z0-9]', far: [34, '[^A-Za-z0-9]'], start: (_, at) => at },
      { sign: 'SK', before: '[^A-Za-z0-9]', far: [34, '[^A-Za-z0-9]'], start: (_, at) => at },
    ],
  },
];
