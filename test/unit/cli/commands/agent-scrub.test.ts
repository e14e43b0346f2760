import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const telltale = fileURLToPath(new URL('../../../../cli/telltale.js', import.meta.url));

describe('telltale agent scrub', () => {
  const folder = temporaryFolder();
  const run = (args: readonly string[], input: string): readonly string[] => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [telltale, 'agent', 'scrub', ...args], {
      input,
      encoding: 'utf8',
    });
    assert.equal(status, 0, stderr);
    return stdout.trimEnd().split('\n');
  };
  const search = '{"term":{"user.password":{"value":"hunter2"}}}';
  const explained = ['{"term":{"user.password":"[redacted]"}}', 'field: {"value":"hunter2"}', '1 replaced'];

  it('prints the scrubbed text of a file, and each replacement with its rule', () => {
    const file = join(folder(), 'search.json');
    writeFileSync(file, search);
    assert.deepEqual(run([file], ''), explained);
  });

  it('reads standard input where no file is named', () => {
    assert.deepEqual(run([], search), explained);
  });

  it('says that nothing is replaced in an ordinary text', () => {
    assert.deepEqual(run([], 'The token: what it is'), ['The token: what it is', '0 replaced']);
  });
});
