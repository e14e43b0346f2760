import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { scrubText } from '../../../../../../agent/slowlogs/scrub/scrub-text.js';

const begin = '-----BEGIN RSA PRIVATE KEY-----';
const end = '-----END RSA PRIVATE KEY-----';
const body = [
  ...Array.from({ length: 5 }, (_, line) =>
    createHash('sha384')
      .update(`line ${String(line)}`)
      .digest('base64'),
  ),
  ...['+', '/', '++', '//'].map((sign) => sign + createHash('sha384').update(sign).digest('base64').slice(2)),
  '3j+sA1==',
];
const lines = [begin, ...body, end];
const encrypted = [
  begin,
  'Proc-Type: 4,ENCRYPTED',
  'DEK-Info: AES-128-CBC,0123456789ABCDEF',
  '',
  ...body,
  end,
];

const putty = [
  'PuTTY-User-Key-File-3: ssh-rsa',
  ...['Encryption: aes256-cbc', 'Comment: a', 'Public-Lines: 2', ...body.slice(0, 2)],
  ...['Key-Derivation: Argon2id', 'Argon2-Memory: 8192', 'Argon2-Passes: 21', 'Argon2-Parallelism: 1'],
  ...['Argon2-Salt: 0123456789abcdef', 'Private-Lines: 4', ...body.slice(2)],
  `Private-MAC: ${'0123456789abcdef'.repeat(4)}`,
];

const around = (before: string, behind: string, between: string, of = lines): string =>
  of.map((line) => before + line + behind).join(between);

/** A private key with separated lines, by what is between them. */
const texts: Readonly<Record<string, string>> = {
  'strings of code that are put together': around('"', '\\n"', ' +\n  '),
  'strings that dots put together': around("'", "'", ' . '),
  'strings side by side': around('"', '"', '\n', encrypted),
  'a list of YAML': around('  - "', '"', '\n'),
  'lines with breaks of HTML': lines.join('<br>'),
  'lines with breaks of XHTML': lines.join('<br />\n'),
  paragraphs: around('<p>', '</p>', ''),
  'breaks by their number': lines.join('&#10;'),
  'a quotation': around('> ', '', '\n'),
  'a comment': around(' # ', '', '\n', encrypted),
  'a comment of Java': around(' * ', '', '\n'),
  'lines with a backslash': lines.join('\\\n'),
  'a block with a comment in marks': `---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\nComment: "rsa-key of a"\n${body.join('\n')}\n---- END SSH2 ENCRYPTED PRIVATE KEY ----`,
};

const isGone = (text: string): boolean =>
  body.every((line) => !text.includes(line) && !text.includes(line.slice(-7)));

describe('a private key', () => {
  for (const [what, text] of Object.entries(texts))
    it(`goes whole as ${what}, also where it was cut off`, () => {
      const query = JSON.stringify({ query: { match: { text } } });
      for (const source of [
        query,
        JSON.stringify({ q: query }),
        text,
        query.slice(0, query.indexOf('END')),
      ]) {
        const { text: left } = scrubText(source);
        assert.ok(isGone(left), left);
        assert.equal(scrubText(left).text, left);
        if (source.endsWith('}')) assert.doesNotThrow(() => JSON.parse(left) as unknown);
      }
    });

  it('goes whole as a list of its lines, indented too, and in JSON within JSON', () => {
    for (const line of [lines, encrypted, putty])
      for (const query of [
        JSON.stringify({ terms: { line, boost: 1 } }),
        JSON.stringify({ terms: { line } }, null, 2),
      ])
        for (const source of [query, JSON.stringify({ q: query })]) {
          const { text: left } = scrubText(source);
          assert.ok(isGone(left), left);
          assert.doesNotThrow(() => JSON.parse(left) as unknown);
        }
  });

  it('takes nothing with it that is no line of a key', () => {
    for (const [text, left] of [
      [`{"a":"${begin}","abcdefghijklmnopqrstuvw":"x"}`, '{"a":"[redacted]","abcdefghijklmnopqrstuvw":"x"}'],
      [`["${begin}","a list","of words"]`, '["[redacted]","a list","of words"]'],
      [`grep "${begin}" /etc/ssl/private/folder/file`, 'grep "[redacted]" /etc/ssl/private/folder/file'],
      [`"${begin}", "Reason: not found", "see there"`, '"[redacted]", "Reason: not found", "see there"'],
    ] as const)
      assert.equal(scrubText(text).text, left);
  });
});
