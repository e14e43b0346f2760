import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const telltale = fileURLToPath(new URL('../../../../cli/telltale.js', import.meta.url));

describe('telltale agent scrub', () => {
  const folder = temporaryFolder();
  const spawned = (args: readonly string[], input: string) =>
    spawnSync(process.execPath, [telltale, 'agent', 'scrub', ...args], { input, encoding: 'utf8' });
  const run = (args: readonly string[], input: string): readonly string[] => {
    const { status, stdout, stderr } = spawned(args, input);
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

  it('reads standard input if no file is named', () => {
    assert.deepEqual(run([], search), explained);
  });

  it('says in a line why a file cannot be read', () => {
    const { status, stderr } = spawned([join(folder(), 'missing.json')], '');
    assert.equal(status, 1);
    assert.match(stderr, /^telltale: \S+missing\.json cannot be read: ENOENT.*\[FILE_UNREADABLE\]\n$/);
  });

  it('shows the digests of ids, as the agent sends them', () => {
    const [text = '', ...replaced] = run([], '{"term":{"_id":{"value":"bob@example.com"}}}');
    assert.match(text, /^\{"term":\{"_id":\{"value":"hmac-[0-9a-f]{24}"\}\}\}$/);
    assert.deepEqual(replaced.slice(0, 2), ['id of a document: bob@example.com', '1 replaced']);
    assert.match(replaced[2] ?? '', /key generated for this output/);
  });

  it('cuts the text where the agent does', () => {
    const long = `{"terms":{"a":["${'x'.repeat(2_000)}"],"password":["hunter2"]}}`;
    assert.deepEqual(run([], long), [long.slice(0, 2_000), '0 replaced', 'cut off after 2000 characters']);
    assert.deepEqual(run(['--max-query-length', '30'], search), [
      '{"term":{"user.password":',
      '0 replaced',
      'cut off after 30 characters',
    ]);
  });

  it('shows the shape, which is sent if the settings ask for it', () => {
    assert.deepEqual(run(['--query-text', 'shape'], search), [
      '{"term":{"user.password":{"value":?}}}',
      '0 replaced',
    ]);
  });

  it('says that nothing is replaced in an ordinary text', () => {
    assert.deepEqual(run([], 'The token: what it is'), ['The token: what it is', '0 replaced']);
  });
});
