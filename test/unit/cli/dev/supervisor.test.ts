import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { processIdentity } from '../../../../runtime/process/process-identity.js';
import { nodeProcess } from '../../../../cli/dev/node-process.js';
import { supervise, type Supervised } from '../../../../cli/dev/supervisor.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { until as eventually } from '../../../support/until.js';

describe('a supervised role', () => {
  const folder = temporaryFolder();
  let said: string[] = [];
  let role: Supervised | undefined;

  const start = async (script: string): Promise<Supervised> => {
    said = [];
    const place = { name: 'toy', logFolder: folder() };
    const environment = { PATH: process.env['PATH'], ROLE: 'toy' };
    role = supervise({
      ...place,
      start: nodeProcess({ ...place, command: ['-e', script], environment, stopMs: 60_000 }),
      say: (line) => said.push(line),
      policy: { firstDelayMs: 10, mostDelayMs: 40, healthyMs: 60_000, loopAfter: 3 },
    });
    await role.started;
    return role;
  };
  const until = (holds: () => boolean): Promise<void> => eventually(holds.toString(), holds);
  const log = (): string => readFileSync(join(folder(), 'toy.log'), 'utf8');

  afterEach(() => role?.kill9());

  it('is started again when it is killed', async () => {
    const supervised = await start('setInterval(() => {}, 1000)');
    await until(() => supervised.pid !== undefined);
    const first = supervised.pid ?? 0;
    process.kill(first, 'SIGKILL');
    await until(() => supervised.pid !== undefined && supervised.pid !== first);
    assert.ok(said.some((line) => line.includes('toy ended (SIGKILL)')));
    assert.equal(supervised.crashLoop, false);
  });

  it('is reported to be in a crash loop, with the end of its log, and is still started again', async () => {
    const supervised = await start("console.error('no such topic'); process.exit(1)");
    await until(() => said.some((line) => line.includes('keeps ending')));
    assert.equal(supervised.crashLoop, true);
    assert.match(said.join('\n'), /keeps ending \(3 times in a row\).*\n.*no such topic/s);
    assert.match(supervised.lastWords(), /no such topic/);
    const runs = log().split('no such topic').length;
    await until(() => log().split('no such topic').length > runs);
  });

  it('is not started again if its first start fails, and says why', async () => {
    const busy = () => Promise.reject(new Error('the port is taken'));
    const { started } = supervise({
      name: 'toy',
      logFolder: folder(),
      say: (line) => said.push(line),
      start: busy,
    });
    said = [];
    await assert.rejects(started, /the port is taken/);
    assert.deepEqual(said, []);
  });

  it('is started again if a later start fails, which counts towards a crash loop', async () => {
    const place = { name: 'toy', logFolder: folder() };
    const ends = nodeProcess({ ...place, command: ['-e', ''], environment: {}, stopMs: 60_000 });
    let starts = 0;
    said = [];
    role = supervise({
      ...place,
      start: () => (++starts === 1 ? ends() : Promise.reject(new Error(`the port is taken\nby another`))),
      say: (line) => said.push(line),
      policy: { firstDelayMs: 10, mostDelayMs: 40, healthyMs: 60_000, loopAfter: 3 },
    });
    await until(() => said.some((line) => line.includes('keeps ending')));
    assert.ok(
      said.some((line) => line.includes('toy could not be started (the port is taken); starting it again')),
    );
    assert.ok(said.some((line) => line.includes(join(folder(), 'toy.log'))));
  });

  it('gets the environment that it is given, and no other', async () => {
    process.env['TELLTALE_TEST_SECRET'] = 'x';
    try {
      await start(
        'console.log(process.env.ROLE, process.env.TELLTALE_TEST_SECRET); setInterval(() => {}, 1000)',
      );
      await until(() => log().includes('\n'));
      assert.equal(log(), 'toy undefined\n');
    } finally {
      delete process.env['TELLTALE_TEST_SECRET'];
    }
  });

  it('ends permanently when it is stopped, also during a pause', async () => {
    const supervised = await start('process.exit(1)');
    await until(() => said.length > 0);
    await supervised.stop();
    const lines = said.length;
    await sleep(100);
    assert.equal(said.length, lines);
    assert.equal(supervised.pid, undefined);
  });

  it('is given time to end cleanly', async () => {
    const slow =
      "process.on('SIGTERM', () => setTimeout(() => { console.log('flushed'); process.exit(0) }, 200));";
    const supervised = await start(`${slow} console.log('up'); setInterval(() => {}, 1000)`);
    await until(() => log().includes('up'));
    const pid = supervised.pid ?? 0;
    await supervised.stop();
    assert.match(log(), /flushed/);
    assert.equal(processIdentity(pid), undefined);
  });
});
