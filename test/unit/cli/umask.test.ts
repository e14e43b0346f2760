import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Loaded into a program, and prints its umask when it exits. */
const tell = "data:text/javascript,process.on('exit',()=>console.log('umask',process.umask().toString(8)))";

describe('a file that a Telltale program writes', () => {
  for (const program of ['telltale', 'telltale-agent'])
    it(`is for its owner alone: ${program}`, () => {
      const script = fileURLToPath(new URL(`../../../cli/${program}.js`, import.meta.url));
      const { stdout } = spawnSync(process.execPath, ['--import', tell, script, '--help'], {
        encoding: 'utf8',
      });
      assert.match(stdout, /umask 77$/m);
    });
});
