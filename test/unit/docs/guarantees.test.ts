import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';

const rows = readFileSync('docs/guarantees.md', 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| **'));

const named = (row: string): RegExpStringIterator<RegExpExecArray> =>
  row.matchAll(/\[(test\/[^\]]+)\]\(\.\.\/([^)]+)\): "([^"]+)"/g);

describe('docs/guarantees.md', () => {
  it('names at least one test for each promise', () => {
    assert.ok(rows.length >= 8);
    for (const row of rows) assert.ok([...named(row)].length > 0, row);
  });

  it('is understood whole: no mention of a test is overlooked', () => {
    for (const row of rows) assert.equal([...named(row)].length, row.match(/\[test\//g)?.length, row);
  });

  it('names no test that is not there', () => {
    for (const [, file = '', link, title = ''] of rows.flatMap((row) => [...named(row)])) {
      assert.equal(link, file);
      assert.ok(existsSync(file), file);
      assert.ok(readFileSync(file, 'utf8').includes(`it('${title}'`), `${file}: ${title}`);
    }
  });
});
