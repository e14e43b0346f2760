import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { closedTables } from '../../../../runtime/clickhouse/gate.js';
import { applyTopics, migrateTables } from '../../../support/applied.js';
import { runCommand } from '../../../support/commands.js';
import { eventsTable, type EventsTable } from '../../../support/events-table.js';
import { role, roleFolder, spawnTelltale, stackEnvironment, type Role } from '../../../support/roles.js';
import { theStack } from '../../../support/stack.js';
import { atScale } from '../../../support/scale.js';
import { statementProxy } from '../../../support/statement-proxy.js';
import { until } from '../../../support/until.js';

class Signal {
  give: () => void = () => undefined;
  readonly given = new Promise<void>((resolve) => (this.give = resolve));
}

/** A command runs about this many statements before those that wait for the sink. */
const statements = 60;

describe('telltale replay table', () => {
  const workspace = `replayed-${randomUUID().slice(0, 8)}`;
  let environment: Record<string, string>;
  let events: EventsTable;
  let sinks: readonly Role[];

  before(async () => {
    const stack = await theStack();
    environment = stackEnvironment(stack);
    await Promise.all([applyTopics(stack), migrateTables(stack)]);
    events = await eventsTable(stack, workspace);
    const folder = roleFolder(stack.folder, workspace);
    const command = { command: 'sinks', portVariable: 'SINKS_PORT', environment };
    sinks = await Promise.all(
      atScale([1], [1, 2]).map((of) => role({ ...command, logFile: join(folder, `sinks-${of}.log`) })),
    );
    await Promise.all(sinks.map((one) => one.start()));
  });
  after(async () => {
    await Promise.all(sinks.map((one) => one.stop()));
    await events.stop();
  });

  /** Kills a command before or after one of its statements, or during the Kafka work that follows it. */
  const killedAtAStatement = async (command: readonly string[]): Promise<void> => {
    let left = Math.floor(Math.random() * statements);
    const proxy = await statementProxy(environment['CLICKHOUSE_URL'] ?? '', async () => {
      if (left-- !== 0) return;
      if (Math.random() < 0.5) killed.kill9();
      else setTimeout(() => killed.kill9(), Math.random() * 50);
      await Promise.resolve();
    });
    const killed = spawnTelltale(command, { ...environment, CLICKHOUSE_URL: proxy.url });
    await killed.exited;
    await proxy.stop();
  };

  it('rebuilds every row once, with its rollups, even if killed, while the sink continues', async () => {
    await events.send(5_000);
    await events.stored();
    await events.spoil();
    const load = { stopped: false };
    const loading = (async () => {
      while (!load.stopped) {
        await events.send(50);
        await sleep(50);
      }
    })();
    const offsetsOf = async (...bounds: readonly string[]): Promise<number> => {
      const said = await runCommand(['replay', 'table', 'events', '--dry-run', ...bounds], environment);
      return (JSON.parse(said) as { offsets: number }).offsets;
    };
    assert.ok((await offsetsOf('--from', '1d')) >= 5_000);
    assert.equal(await offsetsOf('--to', '1d'), 0);
    for (let round = 0; round < atScale(1, 10); round++)
      await killedAtAStatement(['replay', 'table', 'events']);
    await runCommand(['replay', 'table', 'events'], environment);
    load.stopped = true;
    await loading;
    await events.stored();
    assert.deepEqual(await events.figures(), events.right());
    await events.assertNothingIsLeft();
    await events.send(10);
    await events.stored();
    assert.deepEqual(await events.figures(), events.right());
  });

  it('is undone by a cancel, and the table stays as it was', async () => {
    const before = await events.figures();
    const running = spawnTelltale(['replay', 'table', 'events', '--rate', '5'], environment);
    await until('the shadow is there', async () => {
      return (await events.shadow()) !== undefined;
    });
    assert.match(await runCommand(['replays', 'cancel', 'table-events'], environment), /is cancelled/);
    running.kill9();
    await running.exited;
    assert.deepEqual(await events.figures(), before);
    await events.assertNothingIsLeft();
    await events.send(10);
    await events.stored();
    assert.deepEqual(await events.figures(), events.right());
  });

  for (const step of atScale(
    ['EXCHANGE TABLES telltale.events AND'],
    [
      'CREATE TABLE IF NOT EXISTS telltale.events_replay',
      // Inserts as the sink does, into the table named by a parameter.
      'INSERT INTO telltale.{table:Identifier}',
      'ALTER TABLE telltale.events ADD CONSTRAINT',
      'ALTER TABLE telltale.events_1m ADD CONSTRAINT',
      'EXCHANGE TABLES telltale.events_1m AND',
      'EXCHANGE TABLES telltale.events AND',
      'DROP TABLE IF EXISTS telltale.events_replay',
    ],
  ))
    it(`does no harm when it is superseded, and wakes up before ${step}`, async () => {
      await events.spoil();
      const [asleep, awake] = [new Signal(), new Signal()];
      const proxy = await statementProxy(environment['CLICKHOUSE_URL'] ?? '', async (statement) => {
        if (!statement.includes(step)) return;
        asleep.give();
        await awake.given;
      });
      const superseded = spawnTelltale(['replay', 'table', 'events'], {
        ...environment,
        CLICKHOUSE_URL: proxy.url,
      });
      await asleep.given;
      await runCommand(['replay', 'table', 'events'], environment);
      await events.send(100);
      awake.give();
      assert.equal(await superseded.exited, 1);
      await proxy.stop();
      await events.stored();
      assert.deepEqual(await events.figures(), events.right());
      await events.assertNothingIsLeft();
    });

  it('leaves the table open if interrupted while closing it, and continues when run again', async () => {
    await events.spoil();
    let isInterrupted = false;
    const proxy = await statementProxy(environment['CLICKHOUSE_URL'] ?? '', (statement) => {
      if (statement.startsWith('ALTER TABLE telltale.events ADD CONSTRAINT') && !isInterrupted) {
        isInterrupted = true;
        running.interrupt();
      }
      return Promise.resolve();
    });
    const running = spawnTelltale(['replay', 'table', 'events'], {
      ...environment,
      CLICKHOUSE_URL: proxy.url,
    });
    assert.equal(await running.exited, 130);
    await proxy.stop();
    assert.ok(isInterrupted);
    assert.deepEqual(await closedTables(events.clickhouse), []);
    await runCommand(['replay', 'table', 'events'], environment);
    assert.deepEqual(await events.figures(), events.right());
    await events.assertNothingIsLeft();
  });

  it("fails with ClickHouse's message if it refuses the rows, and can then be cancelled", async () => {
    const running = runCommand(['replay', 'table', 'events', '--rate', '500'], environment);
    await events.damageShadow();
    await assert.rejects(running, /refused: .*\bvalue\b.*\[CLICKHOUSE_REFUSED\]/s);
    const shown = await runCommand(['replays', 'show', 'table-events'], environment);
    assert.match(shown, /"status": "failed".*"reason": ".*value/s);
    await runCommand(['replays', 'cancel', 'table-events'], environment);
    await events.assertNothingIsLeft();
    assert.deepEqual(await events.figures(), events.right());
  });

  it('has its gaps filled once by `audit --repair`, even if that is killed, which also reports what the topic lacks', async () => {
    const lose = async (): Promise<void> => {
      await events.clickhouse.command(
        `ALTER TABLE telltale.events DELETE WHERE workspace = '${workspace}' AND value BETWEEN 101 AND 160
         SETTINGS mutations_sync = 2`,
      );
      assert.equal((await events.figures())['rows'], events.sent - 60);
    };
    const repair = async (): Promise<string> =>
      runCommand(['audit', '--repair', '--json'], environment).catch(String);
    const rows = async () => {
      const { rows: all, records, total } = await events.figures();
      return { rows: all, records, total };
    };
    const whole = { rows: events.sent, records: events.sent, total: (events.sent * (events.sent + 1)) / 2 };
    await lose();
    for (let round = 0; round < atScale(1, 10); round++) await killedAtAStatement(['audit', '--repair']);
    await Promise.all([repair(), repair()]);
    await repair();
    assert.deepEqual(await rows(), whole);
    const said = JSON.parse(await repair()) as { gaps: number; repaired: unknown[] };
    assert.deepEqual([said.gaps, said.repaired], [0, []]);
    // The same rows are lost again: the new insert must not be deduplicated against the earlier one.
    await lose();
    await repair();
    assert.deepEqual(await rows(), whole);
  });
});
