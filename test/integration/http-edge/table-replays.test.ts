import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { applyTopics, migrateTables } from '../../support/applied.js';
import { eventsTable, type EventsTable } from '../../support/events-table.js';
import { newKey } from '../../support/operator-questions.js';
import { shortSessions } from '../../support/pipeline.js';
import {
  role,
  roleFolder,
  runTelltale,
  spawnTelltale,
  stackEnvironment,
  type Role,
} from '../../support/roles.js';
import { atScale } from '../../support/scale.js';
import { theStack } from '../../support/stack.js';
import { statementProxy, type StatementProxy } from '../../support/statement-proxy.js';
import { until } from '../../support/until.js';

interface Shown {
  readonly id: string;
  readonly status: string;
  readonly created_at: string;
  readonly records: number;
  readonly total: number | null;
}

const id = 'table-events';
/** A replay runs more than this many statements about its shadow and its gate. */
const statements = 25;
const ofReplay = /_replay_|EXCHANGE TABLES/;

describe('replays of tables that are asked for by HTTP', () => {
  const workspace = `asked-${randomUUID().slice(0, 8)}`;
  let environment: Record<string, string>;
  let events: EventsTable;
  let edge: Role;
  let sinks: readonly Role[];
  let proxies: readonly StatementProxy[];
  let headers: Record<string, string>;
  /** Called for each statement of a replay, with the process that runs it. */
  let heard: (by: Role) => void = () => undefined;

  before(async () => {
    const stack = await theStack();
    environment = { ...stackEnvironment(stack), ...shortSessions };
    await Promise.all([applyTopics(stack), migrateTables(stack)]);
    events = await eventsTable(stack, workspace);
    const folder = roleFolder(stack.folder, workspace);
    edge = await role({
      ...{ command: 'edge', portVariable: 'EDGE_PORT', logFile: join(folder, 'edge.log') },
      environment: { ...environment, TELLTALE_STATE: folder },
    });
    proxies = await Promise.all(
      [0, 1].map((at) =>
        statementProxy(stack.clickhouse.url, (statement) => {
          const by = sinks[at];
          if (by !== undefined && ofReplay.test(statement)) heard(by);
          return Promise.resolve();
        }),
      ),
    );
    sinks = await Promise.all(
      proxies.map(({ url }, at) =>
        role({
          ...{ command: 'sinks', portVariable: 'SINKS_PORT', logFile: join(folder, `sinks-${at}.log`) },
          environment: { ...environment, CLICKHOUSE_URL: url },
        }),
      ),
    );
    await Promise.all([edge, ...sinks].map((one) => one.start()));
    const key = await newKey(environment, 'default', ['admin']);
    headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    await until('the edge knows the key', async () => (await fetch(replays(), { headers })).ok);
    await events.send(5_000);
    await events.stored();
  });
  after(async () => {
    await Promise.all([edge, ...sinks].map((one) => one.stop()));
    await Promise.all(proxies.map((proxy) => proxy.stop()));
    await events.stop();
  });

  const replays = (): string => `${edge.url}/api/v1/replays`;
  const ask = async (options: Readonly<Record<string, unknown>> = {}): Promise<Shown> => {
    const body = JSON.stringify({ kind: 'table', sink: 'events', ...options });
    const answer = await fetch(replays(), { method: 'POST', headers, body });
    assert.equal(answer.status, 202);
    const asked = (await answer.json()) as Shown;
    assert.equal((await shown())?.created_at, asked.created_at, 'who has asked finds it in the list');
    return asked;
  };
  const shown = async (): Promise<Shown | undefined> => {
    const answer = await fetch(replays(), { headers });
    const all = (await answer.json()) as { replays: readonly Shown[] };
    return all.replays.find((one) => one.id === id);
  };
  const isUnderWay = async (): Promise<boolean> =>
    ['queued', 'running'].includes((await shown())?.status ?? '');
  const isDone = async (): Promise<boolean> => (await shown())?.status === 'done';
  const command = (...args: readonly string[]): Promise<string> => runTelltale(args, environment);
  const assertIsRight = async (): Promise<void> => {
    await events.stored();
    assert.deepEqual(await events.figures(), events.right());
    await events.assertNothingIsLeft();
  };

  it('are run by the sinks, each row once, even if the working sink is killed while events keep arriving', async () => {
    await events.spoil();
    const load = { stopped: false };
    const loading = (async () => {
      while (!load.stopped) {
        await events.send(50);
        await sleep(atScale(250, 50));
      }
    })();
    for (let round = 0; round < atScale(1, 10); round++) {
      let left = Math.floor(Math.random() * statements);
      const killed: Role[] = [];
      heard = (by) => {
        if (left-- !== 0) return;
        killed.push(by);
        void by.kill9();
      };
      await until('the process that works on it is killed', async () => {
        if (killed.length === 0 && !(await isUnderWay())) await ask();
        return killed.length > 0;
      });
      for (const one of killed) {
        await one.kill9();
        await one.start();
      }
    }
    heard = () => undefined;
    if (!(await isUnderWay())) await ask();
    await until('the replay is done', isDone);
    load.stopped = true;
    await loading;
    await assertIsRight();
    const { records, total } = (await shown()) ?? {};
    assert.ok(total !== null && total !== undefined && total >= 5_000);
    assert.ok(records !== undefined && records <= total);
    await events.send(10);
    await assertIsRight();
  });

  it('wait while paused, resume where they were, and leave nothing behind when cancelled', async () => {
    const isRunning = async (): Promise<boolean> => (await shown())?.status === 'running';
    await ask({ from: 0, rate: 5 });
    await until('a process of the sinks works on it', async () => (await events.shadow()) !== undefined);
    assert.match(await command('replays', 'pause', id), /is paused/);
    assert.match(await command('replays', 'resume', id), /is queued/);
    await until('a process of the sinks goes on with it', isRunning);
    for (const one of sinks) {
      assert.equal(await one.stop(), 0);
      await one.start();
    }
    await until('another one goes on with it', isRunning);
    assert.match(await command('replays', 'cancel', id), /is cancelled/);
    await until('nothing is left', async () => (await events.shadow()) === undefined);
    await assertIsRight();
  });

  it("leave a command's replay to the command until the sinks are asked for it", async () => {
    const running = spawnTelltale(['replay', 'table', 'events', '--from', '0', '--rate', '5'], environment);
    await until('the command works on it', async () => (await events.shadow()) !== undefined);
    running.kill9();
    await running.exited;
    assert.equal((await ask({ from: 0 })).status, 'running', 'it was taken from its command');
    await command('replays', 'pause', id);
    await events.spoil();
    assert.equal((await ask({ from: 0 })).status, 'queued');
    await until('the replay is done', isDone);
    await assertIsRight();
  });

  // A command uses the same code, and its test always runs.
  if (atScale(false, true))
    it('fail with the reason, and can be asked for again', async () => {
      await ask({ from: 1, rate: 500 });
      await events.damageShadow();
      await until('the replay has failed', async () => (await shown())?.status === 'failed');
      assert.match(await command('replays', 'show', id), /"reason": ".*value/s);
      await command('replays', 'cancel', id);
      await ask();
      await until('the replay is done', isDone);
      await assertIsRight();
    });
});
