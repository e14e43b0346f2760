import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

const documents = [
  'README.md',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => join('docs', file)),
];

/** The link anchors of headings: lower case, hyphens for spaces, no punctuation. */
const anchorsOf = (markdown: string): readonly string[] =>
  [...markdown.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );

/** The targets of all of a document's links into the project. */
const targetsOf = (markdown: string): readonly string[] =>
  [...markdown.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target));

describe('the links of the documents', () => {
  it('are many', () => {
    assert.ok(documents.flatMap((file) => targetsOf(readFileSync(file, 'utf8'))).length > 20);
  });

  for (const file of documents) {
    it(`in ${file} lead to a file, and a heading, that is there`, () => {
      for (const target of targetsOf(readFileSync(file, 'utf8'))) {
        const [path = '', anchor] = target.split('#');
        const found = path === '' ? file : join(dirname(file), path);
        assert.ok(existsSync(found), target);
        if (anchor !== undefined)
          assert.ok(anchorsOf(readFileSync(found, 'utf8')).includes(anchor), `${target}: no such heading`);
      }
    });
  }
});
