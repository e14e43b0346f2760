import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { processesOfNpm, stopWithNpm } from '../../../../cli/dev/stop-with-npm.js';

describe('the processes of npm whose end stops npm start', () => {
  const script = 'read -r line; true';
  const npm = { npm_lifecycle_event: 'start', npm_lifecycle_script: script };
  let shell: ChildProcess;

  beforeEach(() => {
    shell = spawn('/bin/sh', ['-c', script], { stdio: ['pipe', 'ignore', 'ignore'] });
  });
  afterEach(() => void shell.kill('SIGKILL'));

  it('are its shell and npm itself', () => {
    assert.deepEqual(processesOfNpm(npm, shell.pid), [shell.pid, process.pid]);
  });

  it('are the parent alone if the shell has become the command', () => {
    assert.deepEqual(processesOfNpm({ ...npm, npm_lifecycle_script: 'node bin/start.mjs' }, shell.pid), [
      shell.pid,
    ]);
  });

  it('are none if something else runs this process', () => {
    assert.deepEqual(processesOfNpm({}, shell.pid), []);
    assert.deepEqual(processesOfNpm({ ...npm, npm_lifecycle_event: 'soak' }, shell.pid), []);
  });

  it('request the stop when one of them ends', async () => {
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
