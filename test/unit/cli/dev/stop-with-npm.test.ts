import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { processesOfNpm, stopWithNpm } from '../../../../cli/dev/stop-with-npm.js';

describe('the end of npm', () => {
  const script = 'read -r line; true';
  const npm = { npm_lifecycle_event: 'start', npm_lifecycle_script: script };
  let shell: ChildProcess;

  beforeEach(() => {
    shell = spawn('/bin/sh', ['-c', script], { stdio: ['pipe', 'ignore', 'ignore'] });
  });
  afterEach(() => void shell.kill('SIGKILL'));

  it('is that of its shell or of itself', () => {
    assert.deepEqual(processesOfNpm(npm, shell.pid), [shell.pid, process.pid]);
  });

  it('is that of the parent where the shell has become the command', () => {
    assert.deepEqual(processesOfNpm({ ...npm, npm_lifecycle_script: 'node bin/start.mjs' }, shell.pid), [
      shell.pid,
    ]);
  });

  it("is nobody's where something else runs this process", () => {
    assert.deepEqual(processesOfNpm({}, shell.pid), []);
    assert.deepEqual(processesOfNpm({ ...npm, npm_lifecycle_event: 'soak' }, shell.pid), []);
  });

  it('asks to stop', async () => {
    const said: string[] = [];
    let unwatch: (() => void) | undefined;
    const why = await new Promise<string>((request) => {
      unwatch = stopWithNpm({ request }, npm, (line) => said.push(line), shell.pid);
      shell.kill('SIGKILL');
    });
    unwatch?.();
    assert.equal(why, 'npm has ended');
    assert.deepEqual(said, ['npm has ended: stopping']);
  });
});
