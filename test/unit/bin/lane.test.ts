import assert from 'node:assert/strict';
import { pathToFileURL } from 'node:url';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { until } from '../../support/until.js';

interface Lane {
  run(command: string, args: readonly string[]): Promise<boolean>;
  said(): string;
}
interface Lanes {
  openLane(name: string, options: { readonly keepsIn: string }): Lane;
  endAll(signal: NodeJS.Signals): void;
}

describe('a lane of npm test', () => {
  const folder = temporaryFolder();
  let lanes: Lanes;
  before(async () => {
    lanes = (await import(pathToFileURL('bin/lane.mjs').href)) as Lanes;
  });

  const node = (lane: Lane, code: string): Promise<boolean> => lane.run(process.execPath, ['-e', code]);

  it('keeps all that its commands say, in their order, and says which ended well', async () => {
    const lane = lanes.openLane('kept', { keepsIn: folder() });
    assert.equal(await node(lane, "console.log('one'); console.error('two')"), true);
    assert.equal(await node(lane, "console.log('three'); process.exitCode = 1"), false);
    assert.equal(await lane.run('no-such-command-of-anyone', []), false);
    assert.equal(lane.said(), 'one\ntwo\nthree\n');
  });

  it('ends what it has started, with all that was said until then kept', async () => {
    const lane = lanes.openLane('ended', { keepsIn: folder() });
    const ended = node(lane, "console.log('begun'); setInterval(() => undefined, 1_000)");
    await until('it has begun', () => lane.said() === 'begun\n');
    lanes.endAll('SIGINT');
    assert.equal(await ended, false);
    assert.equal(lane.said(), 'begun\n');
  });
});
