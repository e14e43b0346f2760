import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';

const rows = readFileSync('docs/guarantees.md', 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| **'));

interface Named {
  readonly file: string;
  readonly link: string;
  readonly titles: readonly string[];
}

/** A test file and the titles of the tests that check the guarantee: `[file](link): "one", "another"`. */
const named = (row: string): readonly Named[] =>
  [...row.matchAll(/\[(test\/[^\]]+)\]\(\.\.\/([^)]+)\): ("[^"]+"(?:, "[^"]+")*)/g)].map(
    ([, file = '', link = '', titles = '']) => ({
      file,
      link,
      titles: [...titles.matchAll(/"([^"]+)"/g)].map(([, title = '']) => title),
    }),
  );

describe('docs/guarantees.md', () => {
  it('names at least one test for each promise', () => {
    assert.ok(rows.length >= 8);
    for (const row of rows) assert.ok(named(row).length > 0, row);
  });

  it('is parsed completely: no mention of a test is overlooked', () => {
    for (const row of rows) assert.equal(named(row).length, row.match(/\[test\//g)?.length, row);
  });

  it('names only tests that exist', () => {
    for (const { file, link, titles } of rows.flatMap(named)) {
      assert.equal(link, file);
      assert.ok(existsSync(file), file);
      const text = readFileSync(file, 'utf8');
      for (const title of titles) assert.ok(text.includes(`it('${title}'`), `${file}: ${title}`);
    }
  });
});
