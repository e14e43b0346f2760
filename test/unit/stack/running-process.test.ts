import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TelltaleError } from '../../../runtime/errors.js';
import { processIdentity } from '../../../runtime/process/process-identity.js';
import { lastLines, launch, type Launch } from '../../../stack/running-process.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

describe('a process of the stack', () => {
  const folder = temporaryFolder();

  const running = (script: string, more: Partial<Launch> = {}): Launch => ({
    name: 'toy',
    title: 'Toy 1.0',
    logFolder: folder(),
    startMs: 120_000,
    stopMs: 60_000,
    spawn: (log) => spawn(process.execPath, ['-e', script], { stdio: ['ignore', log, log] }),
    isReady: (logged) => logged().includes('ready'),
    ...more,
  });
  const serve = "console.log('ready'); setInterval(() => {}, 1000);";

  it('is awaited until ready, noted in a pid file, and ended by SIGTERM', async () => {
    const toy = await launch(running(serve));
    assert.ok(existsSync(join(folder(), 'toy.pid')));
    await toy.stop();
    assert.deepEqual(await toy.exited, { code: null, signal: 'SIGTERM' });
    assert.equal(processIdentity(toy.pid), undefined);
    assert.equal(existsSync(join(folder(), 'toy.pid')), false);
  });

  it('is killed when it does not end by itself in time', async () => {
    const toy = await launch(running(`process.on('SIGTERM', () => {}); ${serve}`, { stopMs: 200 }));
    await toy.stop();
    assert.equal((await toy.exited).signal, 'SIGKILL');
  });

  it("is not considered ready because of an earlier run's log", async () => {
    writeFileSync(join(folder(), 'toy.log'), 'ready\n');
    await assert.rejects(launch(running('process.exit(1)')), /exit code 1/);
  });

  it('says why it did not start, with the end of its log', async () => {
    await assert.rejects(launch(running("console.error('no such disk'); process.exit(3);")), (error) => {
      assert.ok(error instanceof TelltaleError && error.code === 'SERVER_START_FAILED');
      for (const part of ['Toy 1.0', 'exit code 3', 'no such disk', 'toy.log'])
        assert.ok(error.message.includes(part), part);
      return true;
    });
  });

  it('is ended if it is not ready in time', async () => {
    await assert.rejects(
      launch(running('setInterval(() => {}, 1000)', { startMs: 300 })),
      /not ready after 0.3 s/,
    );
    assert.equal(existsSync(join(folder(), 'toy.pid')), false);
  });

  it('fails with an error if its program does not exist', async () => {
    const missing = running('', {
      spawn: (log) => spawn(join(folder(), 'nothing'), [], { stdio: ['ignore', log, log] }),
    });
    await assert.rejects(launch(missing), /ENOENT/);
  });

  it('ends when the process that started it is killed', async () => {
    const note = join(folder(), 'pid');
    const parent = spawn(process.execPath, ['--input-type=module', '-e', parentScript(note)], {
      stdio: 'ignore',
    });
    const parentEnded = new Promise((resolve) => parent.once('exit', resolve));
    while (!existsSync(note)) await new Promise((resolve) => setTimeout(resolve, 50));
    const child = Number(readFileSync(note, 'utf8'));
    assert.ok(processIdentity(child) !== undefined);
    parent.kill('SIGKILL');
    await parentEnded;
    while (processIdentity(child) !== undefined) await new Promise((resolve) => setTimeout(resolve, 50));
  });
});

/** Starts a guarded child, records its pid, and waits to be killed. */
function parentScript(note: string): string {
  const guard = new URL('../../../stack/guard.js', import.meta.url).href;
  return `
    import { spawn } from 'node:child_process';
    import { renameSync, writeFileSync } from 'node:fs';
    import { guard } from '${guard}';
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore', detached: true });
    guard(child);
    writeFileSync('${note}.new', String(child.pid));
    renameSync('${note}.new', '${note}');
    setInterval(() => {}, 1000);
  `;
}

describe('the end of a log', () => {
  it('is its last lines', () => {
    assert.equal(lastLines('a\nb\nc\n', 2), 'b\nc');
    assert.equal(lastLines('', 2), '');
  });
});
