import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readEnvFile, writeEnvFile, type Variables } from '../../../cli/dev/env-file.js';
import { livingOwner } from '../../../runtime/process/pid-file.js';
import { isPortFree } from '../../../stack/ports.js';
import { inTime } from '../../support/figures.js';
import { freePorts, startDev, type Start } from '../../support/npm-start.js';
import { until } from '../../support/until.js';
import { ofTheUser, strangersFindNothing } from './dev-parts/strangers.js';

const anySentence = { prompt: 'Which of these two bridges was built first, and why?' };

describe('npm start', function () {
  const home = resolve('.telltale-test', `dev-${randomBytes(3).toString('hex')}`);
  let ports: Record<string, string> = {};
  let running: Start | undefined;

  before(async () => {
    ports = await freePorts();
  });
  afterEach(function () {
    if (this.currentTest?.state === 'failed') console.log(running?.printed());
  });
  after(async () => {
    running?.process.kill('SIGTERM');
    await running?.exited;
    if (process.env['KEEP_TEST_STACK'] === undefined) rmSync(home, { recursive: true, force: true });
  });

  const start = (more: Readonly<Record<string, string>> = {}, ...args: string[]): Start =>
    startDev({ ...ports, ...ofTheUser, TELLTALE_HOME: home, ...more }, args);
  const startAndWait = async (...args: string[]): Promise<Start> => {
    running = start({}, ...args);
    await running.says('Telltale is ready.');
    return running;
  };
  const variables = (): Variables => readEnvFile(join(home, 'dev.env'));
  const pidOf = (name: string): number | undefined => livingOwner(join(home, 'logs', `${name}.pid`));
  const processes = (): string[] =>
    readdirSync(join(home, 'logs'))
      .filter((name) => name.endsWith('.pid') && livingOwner(join(home, 'logs', name)) !== undefined)
      .map((name) => name.replace('.pid', ''))
      .sort();
  const post = (path: string, body: object = anySentence): Promise<Response> =>
    fetch(`${variables()['TELLTALE_URL'] ?? ''}/api/v1/monitoring/metrics/${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${variables()['TELLTALE_API_KEY'] ?? ''}`,
      },
    });

  it('starts from scratch with --fresh, within 25 s, and prints a curl command that works as pasted', async () => {
    const before = join(home, 'data', 'kafka', 'before');
    mkdirSync(dirname(before), { recursive: true });
    writeFileSync(before, 'of an earlier start');
    writeEnvFile(join(home, 'dev.env'), { TELLTALE_API_KEY: 'tt_earlier' }, 'Of an earlier start.');
    let started: Start | undefined;
    await inTime(25_000, async () => (started = await startAndWait('--fresh')));
    assert.ok(started !== undefined && !existsSync(before));
    assert.match(variables()['TELLTALE_API_KEY'] ?? '', /^tt_[a-z2-7]{12}_/);
    assert.deepEqual(processes(), [
      'agent',
      'clickhouse',
      'edge',
      'kafka',
      'processors',
      'registry',
      'sinks',
    ]);
    assert.ok(started.printed().includes(variables()['TELLTALE_API_KEY'] ?? 'no key'));
    const curl = /^\(\. .*curl (?:.*\\\n)+.*$/m.exec(started.printed())?.[0];
    assert.ok(curl !== undefined);
    const answer = JSON.parse(execFileSync('/bin/sh', ['-c', curl], { encoding: 'utf8' })) as {
      readonly metrics: { readonly text_metrics: Readonly<Record<string, unknown>> };
    };
    assert.equal(typeof answer.metrics.text_metrics['prompt.letter_count'], 'number');
  });

  it('writes its connection settings to dev.env, readable only by its owner', async () => {
    assert.equal(statSync(join(home, 'dev.env')).mode & 0o777, 0o600);
    const { CLICKHOUSE_URL = '', CLICKHOUSE_USER = '', CLICKHOUSE_PASSWORD = '' } = variables();
    const asAnalyst = (sql: string): Promise<Response> =>
      fetch(CLICKHOUSE_URL, {
        method: 'POST',
        body: sql,
        headers: { 'x-clickhouse-user': CLICKHOUSE_USER, 'x-clickhouse-key': CLICKHOUSE_PASSWORD },
      });
    const rows = async (): Promise<string> =>
      (await (await asAnalyst('SELECT count() FROM telltale.scoring_results')).text()).trim();
    while ((await rows()) !== '1') await sleep(100);
    assert.equal((await asAnalyst('TRUNCATE TABLE telltale.scoring_results')).ok, false);
  });

  it('brings an event from the agent to its table', async () => {
    const { TELLTALE_AGENT_URL: agent = '', CLICKHOUSE_URL = '', ...rest } = variables();
    assert.equal((await fetch(`${agent}/?method=increment&metric=dev.starts`)).status, 200);
    const headers = {
      'x-clickhouse-user': rest['CLICKHOUSE_USER'] ?? '',
      'x-clickhouse-key': rest['CLICKHOUSE_PASSWORD'] ?? '',
    };
    const body = "SELECT count() FROM telltale.events WHERE metric = 'dev.starts'";
    const rows = async (): Promise<string> =>
      (await (await fetch(CLICKHOUSE_URL, { method: 'POST', body, headers })).text()).trim();
    while ((await rows()) !== '1') await sleep(100);
  });

  if (process.platform === 'linux')
    strangersFindNothing(() => ({ home, ports, start: running ?? assert.fail('it has started') }));

  it('refuses to start a second time, and says why', async () => {
    const second = start();
    assert.equal(await second.exited, 1);
    assert.match(second.printed(), /already runs in .* \(process \d+\)/);
    assert.equal((await post('text-metrics')).status, 200);
  });

  it('names a busy port and the variable that changes it', async () => {
    const elsewhere = start({ TELLTALE_HOME: `${home}-other` });
    assert.equal(await elsewhere.exited, 1);
    assert.match(elsewhere.printed(), new RegExp(`Port ${ports['EDGE_PORT'] ?? ''} .*EDGE_PORT`));
    rmSync(`${home}-other`, { recursive: true, force: true });
  });

  it('starts a role again that was killed', async () => {
    const first = pidOf('edge');
    assert.ok(first !== undefined);
    process.kill(first, 'SIGKILL');
    await running?.says('edge ended (SIGKILL)');
    const answers = async (): Promise<boolean> => {
      try {
        return (await post('text-metrics')).status === 200;
      } catch {
        return false;
      }
    };
    while (!(await answers())) await sleep(100);
    assert.notEqual(pidOf('edge'), first);
  });

  it('leaves nothing running when it is killed itself, and finds its data at the next start', async () => {
    const accepted = (await (await post('text-metrics/task')).json()) as { readonly task_id: string };
    const key = variables()['TELLTALE_API_KEY'];
    await inTime(15_000, async () => {
      running?.process.kill('SIGKILL');
      await running?.exited;
      await until('all of it has ended', () => processes().length === 0);
    });
    await startAndWait();
    assert.equal(variables()['TELLTALE_API_KEY'], key);
    assert.ok(!running?.printed().includes(key ?? ''), 'the key is shown once');
    const status = async (): Promise<string> => {
      const response = await fetch(
        `${variables()['TELLTALE_URL'] ?? ''}/api/v1/monitoring/metrics/task/${accepted.task_id}/status`,
        { headers: { authorization: `Bearer ${key ?? ''}` } },
      );
      return ((await response.json()) as { readonly status: string }).status;
    };
    await until('the task is processed', async () => (await status()) === 'processed');
  });

  it('stops all of it within 15 s of SIGTERM', async () => {
    await inTime(15_000, async () => {
      running?.process.kill('SIGTERM');
      running?.process.kill('SIGTERM'); // Ctrl-C arrives twice, once through npm: that is one request
      assert.equal(await running?.exited, 0);
    });
    assert.deepEqual(processes(), []);
    for (const [name, port] of Object.entries(ports)) assert.ok(await isPortFree(Number(port)), name);
  });

  it('keeps every secret out of its logs', () => {
    const secrets = [variables(), readEnvFile(join(home, 'secrets.env'))]
      .flatMap((file) => Object.entries(file))
      .filter(([name]) => /KEY|PASSWORD/.test(name))
      .map(([, value]) => value);
    assert.equal(secrets.length >= 3, true);
    for (const name of readdirSync(join(home, 'logs')).filter((each) => each.endsWith('.log'))) {
      const log = readFileSync(join(home, 'logs', name), 'utf8');
      for (const secret of secrets) assert.ok(!log.includes(secret), name);
    }
  });
});
