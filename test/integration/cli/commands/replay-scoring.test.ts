import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Producer } from 'kafkajs';
import { connectClickHouse, type ClickHouse } from '../../../../runtime/clickhouse/client.js';
import type { Codec } from '../../../../runtime/codec.js';
import { openCodec } from '../../../../runtime/registry/codec.js';
import { connectRegistry } from '../../../../runtime/registry/registry.js';
import { readReplays } from '../../../../runtime/replays/replay-log.js';
import type { Replay } from '../../../../schemas/generated/replay.js';
import { replays as replayTopic } from '../../../../topics/replays.js';
import { scoringRequests, scoringRequestsRealtime, taskStatus } from '../../../../topics/scoring.js';
import { applyTopics, migrateTables } from '../../../support/applied.js';
import { runCommand } from '../../../support/commands.js';
import { followReplays, type FollowedReplays } from '../../../support/followed-replays.js';
import { accessTo, connectedProducer, plainKafka } from '../../../support/kafka.js';
import { role, roleFolder, runTelltale, stackEnvironment, type Role } from '../../../support/roles.js';
import { shortSessions } from '../../../support/pipeline.js';
import { atScale } from '../../../support/scale.js';
import { theStack, type TestStack } from '../../../support/stack.js';
import { recordsOf, removeRecords } from '../../../support/topic-of-test.js';
import { until } from '../../../support/until.js';

describe('telltale replay scoring', () => {
  const workspace = `scored-again-${randomUUID().slice(0, 8)}`;
  const tasks = atScale(150, 2_000);
  let stack: TestStack;
  let environment: Record<string, string>;
  let clickhouse: ClickHouse;
  let processors: readonly Role[];
  let sinks: readonly Role[];
  let producer: Producer;
  let codec: Codec<Replay>;
  let followed: FollowedReplays;
  let sentFrom: string;

  before(async () => {
    stack = await theStack();
    environment = { ...stackEnvironment(stack), ...shortSessions };
    await Promise.all([applyTopics(stack), migrateTables(stack)]);
    clickhouse = connectClickHouse({ url: stack.clickhouse.url, ...stack.clickhouse.writer });
    codec = await openCodec(replayTopic, connectRegistry(stack.registryConfig));
    followed = followReplays(accessTo(stack.brokers), codec);
    producer = await connectedProducer(plainKafka(stack.brokers));
    [processors, sinks] = await Promise.all([rolesOf('processors'), rolesOf('sinks')]);
    await Promise.all([...processors, ...sinks].map((one) => one.start()));
    sentFrom = new Date().toISOString();
    await send();
    await until('every task is stored', async () => (await rows()).versions[0] === tasks);
  });
  after(async () => {
    await Promise.all([...processors, ...sinks].map((one) => one.stop()));
    await followed.stop();
    await producer.disconnect();
    await clickhouse.close();
  });

  function rolesOf(command: string): Promise<readonly Role[]> {
    const portVariable = `${command.toUpperCase()}_PORT`;
    const folder = roleFolder(stack.folder, workspace);
    return Promise.all(
      atScale([1], [1, 2]).map((of) =>
        role({ command, portVariable, environment, logFile: join(folder, `${command}-${of}.log`) }),
      ),
    );
  }

  async function send(): Promise<void> {
    const requests = await openCodec(scoringRequests, connectRegistry(stack.registryConfig));
    const messages = Array.from({ length: tasks }, (_, at) => {
      const id = randomUUID();
      const request = { id, workspace, key_id: 'k', metric: 'text_sentiment', prompt: `all is well ${at}` };
      const more = { response: null, deadline: null, reply_to: null, request_digest: null };
      return { key: id, value: requests.encode({ ...request, ...more, accepted_at: Date.now() * 1_000 }) };
    });
    await producer.send({ topic: scoringRequests.name, messages });
  }

  /** The number of tasks with a result of each version, oldest version first, and the rows in the view. */
  async function rows() {
    const of = `WHERE workspace = '${workspace}'`;
    const versions = await clickhouse.query<{ rows: string; tasks: string }>(
      `SELECT count() AS rows, uniqExact(task_id) AS tasks FROM telltale.scoring_result_versions ${of}
       GROUP BY version ORDER BY version`,
    );
    for (const one of versions) assert.equal(one.rows, one.tasks, 'a version has a task twice');
    const [shown] = await clickhouse.query<{ rows: string; tasks: string; replayed: string }>(
      `SELECT count() AS rows, uniqExact(task_id) AS tasks, countIf(version > 0) AS replayed
       FROM telltale.scoring_results ${of}`,
    );
    return {
      versions: versions.map(({ tasks: count }) => Number(count)),
      shown: Number(shown?.rows),
      shownTasks: Number(shown?.tasks),
      shownReplayed: Number(shown?.replayed),
    };
  }
  const replays = async (...args: readonly string[]): Promise<string> =>
    runCommand(['replays', ...args], environment);
  const show = async (id: string): Promise<Replay> => {
    const found = (await readReplays(accessTo(stack.brokers), codec)).get(id);
    assert.ok(found);
    return found;
  };
  const ask = async (...args: readonly string[]): Promise<string> => {
    const command = ['replay', 'scoring', '--metric', 'all', '--workspace', workspace, '--no-follow'];
    return (JSON.parse(await runCommand([...command, ...args], environment)) as { id: string }).id;
  };

  it('A scorer was wrong: each task gets one new version even if processes are killed, and analysts see the newest', async () => {
    // While one process restarts, the other continues: some work must remain for every kill. `--from`
    // excludes records of other tests, which would count against the rate.
    const slowly = ['--rate', atScale('20', '12'), '--from', sentFrom];
    const [id, same] = await Promise.all([ask(...slowly), ask(...slowly)]);
    assert.equal(same, id);
    for (let round = 0; round < atScale(1, 10); round++) {
      const { records } = await show(id);
      await until('the replay goes on', () => (followed.get(id)?.records ?? 0) > records);
      await sleep(Math.random() * 500);
      assert.equal((await show(id)).status, 'running', 'there is nothing left to kill');
      const killed = processors[round % processors.length];
      await killed?.kill9();
      await killed?.start();
    }
    await until('the replay is done', () => followed.get(id)?.status === 'done');
    await until('all is stored', async () => (await rows()).versions[1] === tasks);
    assert.deepEqual(await rows(), {
      versions: [tasks, tasks],
      shown: tasks,
      shownTasks: tasks,
      shownReplayed: tasks,
    });
    const [scored] = await clickhouse.query<{ scores: string }>(
      `SELECT max(scores) AS scores FROM (SELECT uniqExact(prompt_sentiment_lexicon) AS scores
       FROM telltale.scoring_result_versions WHERE workspace = '${workspace}' GROUP BY task_id)`,
    );
    assert.equal(Number(scored?.scores), 1);
    const statuses = await openCodec(taskStatus, connectRegistry(stack.registryConfig));
    let ended = 0;
    for (const { value } of await recordsOf(plainKafka(stack.brokers), taskStatus.name)) {
      const said = value === null ? undefined : await statuses.decode(value);
      if (said?.workspace === workspace && said.status === 'processed') ended += 1;
    }
    assert.equal(ended, tasks, 'the status of a task was said again');
  });

  it('waits while paused, resumes where it was, and keeps its finished work when cancelled', async () => {
    const id = await ask('--rate', '5', '--from', '1d');
    await until('the replay goes on', () => (followed.get(id)?.records ?? 0) > 0);
    assert.match(await replays('pause', id), /is paused/);
    assert.equal((await show(id)).status, 'paused');
    assert.match(await replays('resume', id), /is queued/);
    const { records } = await show(id);
    await until('it has gone on', () => (followed.get(id)?.records ?? 0) > records);
    assert.match(await replays('cancel', id), /is cancelled/);
    await assert.rejects(replays('resume', id), /it can't be resumed/);
    const { shown, shownTasks } = await rows();
    assert.deepEqual({ shown, shownTasks }, { shown: tasks, shownTasks: tasks });
  });

  it('says what it would do, and does nothing', async () => {
    const before = await rows();
    const said = await runCommand(['replay', 'scoring', '--metric', 'all', '--dry-run'], environment);
    const { offsets, disk_bytes: bytes } = JSON.parse(said) as { offsets: number; disk_bytes: number };
    assert.ok(offsets >= tasks && bytes > 0);
    assert.equal((await rows()).versions.length, before.versions.length);
    await assert.rejects(runCommand(['replay', 'scoring', '--metric', 'mood'], environment), /metric/);
  });

  const versionsOf = async (call: string): Promise<unknown> =>
    clickhouse.query(
      `SELECT groupUniqArray(lane) AS lanes, toUInt32(count()) AS rows FROM telltale.scoring_result_versions
       WHERE workspace = '${workspace}' AND task_id = '${call}'`,
    );
  let call: string;

  it('also scores real-time calls again, which are not in the topic of tasks', async () => {
    const from = new Date().toISOString();
    call = await sendCall();
    await until('the call is stored', async () => (await rows()).shownTasks === tasks + 1);
    const said = await runCommand(
      ['replay', 'scoring', '--metric', 'all', '--workspace', workspace, '--from', from, '--dry-run'],
      environment,
    );
    assert.match(said, /"calls":1,/);
    const id = await ask('--from', from, '--status');
    await until('the replay is done', () => followed.get(id)?.status === 'done');
    const { total, records } = await show(id);
    assert.deepEqual({ total, records }, { total: 1, records: 1 });
    await until('it is stored', async () => (await rows()).versions.at(-1) === 1);
    assert.deepEqual(await versionsOf(call), [{ lanes: ['realtime'], rows: 2 }]);
    const statuses = await recordsOf(plainKafka(stack.brokers), taskStatus.name);
    assert.ok(!statuses.some(({ key }) => key?.toString() === call), 'a call has no status');
  });

  it('scores stored texts again if the topic has lost them or the condition names columns', async () => {
    await ask('--where', `task_id = ${call}`);
    await until('the call is scored again', async () => {
      const [found] = (await versionsOf(call)) as readonly { readonly rows: number }[];
      return found?.rows === 3;
    });
    assert.deepEqual(await versionsOf(call), [{ lanes: ['realtime'], rows: 3 }]);

    await removeRecords(plainKafka(stack.brokers), scoringRequests.name);
    await assert.rejects(
      runCommand(['replay', 'scoring', '--metric', 'all', '--from', '2d', '--status'], environment),
      /starts later/,
    );
    const id = await ask('--from', '30d', ...atScale([], ['--rate', '800']));
    if (atScale(false, true)) {
      await until('the replay goes on', () => (followed.get(id)?.records ?? 0) > 0);
      await Promise.all(processors.map((one) => one.kill9()));
      await Promise.all(processors.map((one) => one.start()));
    }
    await until('the replay is done', () => followed.get(id)?.status === 'done');
    assert.equal((await show(id)).total, tasks + 1);
    await until('all is stored', async () => (await rows()).versions.at(-1) === tasks + 1);
    const { shown, shownTasks } = await rows();
    assert.deepEqual({ shown, shownTasks }, { shown: tasks + 1, shownTasks: tasks + 1 });
  });

  it('shows the progress of a replay until its end, and exits with success', async () => {
    const args = [
      'replay',
      'scoring',
      '--metric',
      'all',
      '--workspace',
      workspace,
      '--from',
      '2d',
      '--to',
      '1d',
    ];
    const said = await runTelltale(args, environment);
    assert.match(said.trim().split('\n').at(-1) ?? '', /"status":"done"/);
  });

  it('fails a replay whose condition names no column', async () => {
    const args = ['replay', 'scoring', '--metric', 'all', '--workspace', workspace];
    await assert.rejects(runCommand([...args, '--where', 'mood = good', '--dry-run'], environment), /mood/);
    const id = await ask('--where', 'mood = good');
    await until('the replay has failed', () => followed.get(id)?.status === 'failed');
    assert.match((await show(id)).reason ?? '', /has no column `mood`/);
  });

  /** Appends a real-time call as the edge does; returns its id. */
  async function sendCall(): Promise<string> {
    const requests = await openCodec(scoringRequestsRealtime, connectRegistry(stack.registryConfig));
    const id = randomUUID();
    const now = Date.now() * 1_000;
    const value = requests.encode({
      ...{ id, workspace, key_id: 'k', metric: 'text_sentiment', prompt: 'a call', response: null },
      ...{ accepted_at: now, deadline: now + 60_000_000, reply_to: 'nobody', request_digest: null },
    });
    await producer.send({ topic: scoringRequestsRealtime.name, messages: [{ key: id, value }] });
    return id;
  }

  /** What retention does in time. */
});
