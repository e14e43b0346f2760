import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { digestKey } from '../../../../agent/slowlogs/digest-key.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

describe('the key of digests', () => {
  const folder = temporaryFolder();
  const path = (): string => `${folder()}/slow-logs/digest-key`;

  it('is drawn once, and kept for the owner of the agent alone', async () => {
    const key = await digestKey(path());
    assert.match(key, /^[0-9a-f]{64}$/);
    assert.equal(await digestKey(path()), key);
    assert.equal(readFileSync(path(), 'utf8'), key);
    assert.deepEqual(readdirSync(`${folder()}/slow-logs`), ['digest-key']);
    if (process.platform !== 'win32') assert.equal(statSync(path()).mode & 0o077, 0);
  });

  it('is drawn again if a crash left an empty file', async () => {
    await digestKey(path());
    writeFileSync(path(), '');
    const key = await digestKey(path());
    assert.match(key, /^[0-9a-f]{64}$/);
    assert.equal(await digestKey(path()), key);
  });

  it('is refused if it is anything else: the error names the file and the cure, and the file stays unchanged', async () => {
    for (const text of ['0'.repeat(63), 'secret', `${'0'.repeat(64)}\n`]) {
      await digestKey(path());
      writeFileSync(path(), text);
      await assert.rejects(digestKey(path()), (error: Error & { code?: string }) => {
        assert.equal(error.code, 'DIGEST_KEY_INVALID');
        assert.match(error.message, /slow-logs.digest-key is not 64 hexadecimal digits.*remove it/);
        return true;
      });
      assert.equal(readFileSync(path(), 'utf8'), text);
      writeFileSync(path(), '');
    }
  });
});
