import assert from 'node:assert/strict';
import { pathToFileURL } from 'node:url';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { until } from '../../support/until.js';

interface TestProcess {
  run(command: string, args: readonly string[]): Promise<boolean>;
  said(): string;
}
interface Module {
  openTestProcess(name: string, options: { readonly keepsIn: string }): TestProcess;
  endAll(signal: NodeJS.Signals): void;
}

describe('a test process of npm test', () => {
  const folder = temporaryFolder();
  let processes: Module;
  before(async () => {
    processes = (await import(pathToFileURL('bin/test-process.mjs').href)) as Module;
  });

  const node = (one: TestProcess, code: string): Promise<boolean> => one.run(process.execPath, ['-e', code]);

  it('keeps the output of its commands in order, and says which succeeded', async () => {
    const one = processes.openTestProcess('kept', { keepsIn: folder() });
    assert.equal(await node(one, "console.log('one'); console.error('two')"), true);
    assert.equal(await node(one, "console.log('three'); process.exitCode = 1"), false);
    assert.equal(await one.run('no-such-command-of-anyone', []), false);
    assert.equal(one.said(), 'one\ntwo\nthree\n');
  });

  it('ends what it has started, and keeps the output up to then', async () => {
    const one = processes.openTestProcess('ended', { keepsIn: folder() });
    const ended = node(one, "console.log('begun'); setInterval(() => undefined, 1_000)");
    await until('it has begun', () => one.said() === 'begun\n');
    processes.endAll('SIGINT');
    assert.equal(await ended, false);
    assert.equal(one.said(), 'begun\n');
  });
});
