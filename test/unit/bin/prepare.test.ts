import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { temporaryFolder } from '../../support/temporary-folder.js';

interface Prepare {
  digestOf(paths: readonly string[]): string;
  isOlder(version: readonly number[], least: readonly number[]): boolean;
}

describe('what npm start does before our code can run', () => {
  const folder = temporaryFolder();
  let prepare: Prepare;
  before(async () => {
    prepare = (await import(pathToFileURL('bin/prepare.mjs').href)) as Prepare;
  });

  it('knows a Node that is too old', () => {
    assert.equal(prepare.isOlder([20, 18], [20, 19]), true);
    assert.equal(prepare.isOlder([18, 20], [20, 19]), true);
    assert.equal(prepare.isOlder([20, 19], [20, 19]), false);
    assert.equal(prepare.isOlder([24, 0], [20, 19]), false);
  });

  it('knows when a source has changed, was added, renamed or removed', () => {
    const sources = join(folder(), 'sources');
    mkdirSync(join(sources, 'deep'), { recursive: true });
    const file = join(sources, 'deep', 'a.ts');
    writeFileSync(file, 'one');
    const seen = [prepare.digestOf([sources])];
    writeFileSync(file, 'two');
    seen.push(prepare.digestOf([sources]));
    writeFileSync(join(sources, 'b.ts'), 'two');
    seen.push(prepare.digestOf([sources]));
    assert.equal(new Set(seen).size, seen.length);
    assert.equal(prepare.digestOf([sources]), seen.at(-1));
    assert.equal(prepare.digestOf([join(folder(), 'nothing')]), prepare.digestOf([]));
  });
});
