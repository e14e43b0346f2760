import assert from 'node:assert/strict';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { temporaryFolder } from '../../support/temporary-folder.js';

interface Flakes {
  rememberFlakes(
    results: readonly { readonly shaky: readonly string[] }[],
    options: { readonly path: string; readonly isCi: boolean },
  ): readonly string[];
}

describe('a test that passes only at a second try', () => {
  const folder = temporaryFolder();
  let flakes: Flakes;
  before(async () => {
    flakes = (await import(pathToFileURL('bin/flakes.mjs').href)) as Flakes;
  });

  it('is a failure in CI the second time this happens, wherever the checkout is', () => {
    const path = join(folder(), 'cache', 'flaky-tests.json');
    const run = (isCi: boolean, ...shaky: string[]): readonly string[] =>
      flakes.rememberFlakes([{ shaky }], { path, isCi });
    assert.deepEqual(run(true, '  moon (/a/x.test.js)\n    Error: full'), []);
    assert.deepEqual(run(true, '  sun (/a/y.test.js)\n    Error: down'), []);
    assert.deepEqual(run(false, '  sun (/a/y.test.js)\n    Error: down'), []);
    const again = '  moon (/b/x.test.js)\n    Error: new';
    assert.deepEqual(run(true, again), [again]);
  });
});
