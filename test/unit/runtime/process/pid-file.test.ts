import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { endLeftover, livingOwner, writePidFile } from '../../../../runtime/process/pid-file.js';
import { processIdentity } from '../../../../runtime/process/process-identity.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const waiting = (): ChildProcess =>
  spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
const ended = (child: ChildProcess): Promise<unknown> =>
  new Promise((resolve) => child.once('exit', resolve));

describe('pid files', () => {
  const folder = temporaryFolder();
  const children: ChildProcess[] = [];

  const startNoted = (path: string): ChildProcess => {
    const child = waiting();
    children.push(child);
    assert.ok(child.pid !== undefined);
    writePidFile(path, child.pid);
    return child;
  };
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
  });

  it('name a process until it ends', async () => {
    const path = join(folder(), 'a.pid');
    const child = startNoted(path);
    assert.equal(livingOwner(path), child.pid);
    const end = ended(child);
    child.kill('SIGKILL');
    await end;
    assert.equal(livingOwner(path), undefined);
  });

  it('let a later run end what an earlier one left behind', async () => {
    const path = join(folder(), 'a.pid');
    const end = ended(startNoted(path));
    assert.equal(await endLeftover(path), true);
    await end;
    assert.equal(existsSync(path), false);
    assert.equal(await endLeftover(path), false);
  });

  it('never let a process be ended that merely has the pid of an earlier one', async () => {
    const path = join(folder(), 'a.pid');
    const child = startNoted(path);
    const noted = JSON.parse(readFileSync(path, 'utf8')) as { identity: string };
    writeFileSync(path, JSON.stringify({ pid: child.pid, identity: `1${noted.identity}` }));
    assert.equal(await endLeftover(path), false);
    assert.ok(child.pid !== undefined && processIdentity(child.pid) !== undefined);
  });

  it('can contain nonsense', async () => {
    const path = join(folder(), 'a.pid');
    for (const nonsense of ['', 'null', '12', '{"pid":"x"}']) {
      writeFileSync(path, nonsense);
      assert.equal(livingOwner(path), undefined);
    }
    assert.equal(await endLeftover(path), false);
  });
});
