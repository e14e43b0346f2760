import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tryLock } from '../../../../runtime/process/lock-file.js';
import { livingOwner } from '../../../../runtime/process/pid-file.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const module = new URL('../../../../runtime/process/lock-file.js', import.meta.url).href;
const locking = `const { tryLock } = await import(process.argv[1]);
process.stdout.write(String(tryLock(process.argv[2]) !== undefined));
setInterval(() => {}, 1000);`;

describe('a lock file', () => {
  const folder = temporaryFolder();

  it('has one owner at a time, names it, and is free again once released', () => {
    const path = join(folder(), 'a.lock');
    const release = tryLock(path);
    assert.ok(release !== undefined);
    assert.equal(livingOwner(path), process.pid);
    assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.equal(tryLock(path), undefined);
    release();
    const next = tryLock(path);
    assert.ok(next !== undefined);
    release();
    assert.equal(tryLock(path), undefined);
    next();
  });

  it("is held by an owner that can't be seen, such as one in another container, until that is killed", async () => {
    const path = join(folder(), 'a.lock');
    const args = ['--input-type=module', '-e', locking, module, path];
    const owner = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const [answer] = (await once(owner.stdout, 'data')) as [Buffer];
    assert.equal(answer.toString(), 'true');
    writeFileSync(path, JSON.stringify({ pid: 999_999_999, identity: 'of a process that is not seen here' }));
    assert.equal(tryLock(path), undefined);
    owner.kill('SIGKILL');
    await once(owner, 'exit');
    const release = tryLock(path);
    assert.ok(release !== undefined);
    release();
  });
});
