import assert from 'node:assert/strict';
import type { Kafka } from 'kafkajs';
import { keptDeadLetters } from '../../../../http-edge/dead-letters/kept-dead-letters.js';
import { readConfig } from '../../../../runtime/config.js';
import { kafkaConfig } from '../../../../runtime/kafka/client/config.js';
import { kafkaAccess } from '../../../../runtime/kafka/client/kafka-access.js';
import { silentLogger } from '../../../../runtime/logging.js';
import { openCodec } from '../../../../runtime/registry/codec.js';
import { connectRegistry } from '../../../../runtime/registry/registry.js';
import { deadLetterDecisions } from '../../../../topics/dead-letters.js';
import { ingestEvents } from '../../../../topics/ingest.js';
import { applyTopics } from '../../../support/applied.js';
import { runCommand } from '../../../support/commands.js';
import { deadLetterEvents } from '../../../support/dead-letters.js';
import { plainKafka } from '../../../support/kafka.js';
import { newKey } from '../../../support/operator-questions.js';
import { spawnTelltale, stackEnvironment } from '../../../support/roles.js';
import { atScale } from '../../../support/scale.js';
import { theStack, type TestStack } from '../../../support/stack.js';
import { recordsOf } from '../../../support/topic-of-test.js';

interface Listed {
  readonly groups: readonly {
    stage: string;
    code: string;
    open: number;
    replayed: number;
    discarded: number;
  }[];
  readonly letters: readonly {
    id: string;
    state: string;
    attempts: number;
    decision_reason: string | null;
  }[];
}

describe('telltale dead-letters', () => {
  let stack: TestStack;
  let kafka: Kafka;
  let environment: Record<string, string>;

  before(async () => {
    stack = await theStack();
    kafka = plainKafka(stack.brokers);
    environment = stackEnvironment(stack);
    await applyTopics(stack);
  });

  const run = (...args: readonly string[]): Promise<string> =>
    runCommand(['dead-letters', ...args], environment);
  const list = async (stage: string, ...more: readonly string[]): Promise<Listed> =>
    JSON.parse(await run('list', '--stage', stage, '--json', ...more)) as Listed;
  /** The ids of the dead letters whose records were sent back. */
  const returned = async (workspace: string): Promise<readonly string[]> =>
    (await recordsOf(kafka, ingestEvents.name))
      .filter(({ key }) => key?.toString() === `${workspace}:m`)
      .map(({ headers }) => String(headers?.['telltale-replayed-from']));

  it('lists the same letters as the edge, which shows reasons but no values of a record', async () => {
    const { stage } = await deadLetterEvents(stack, kafka, 2);
    const settings = readConfig(kafkaConfig, environment);
    const listed = keptDeadLetters({
      sources: [ingestEvents],
      kafka: kafkaAccess(settings, 'telltale-test', silentLogger),
      codec: await openCodec(deadLetterDecisions, connectRegistry(settings)),
    });
    const { groups, newest } = await listed.read();
    assert.deepEqual(
      groups.filter((group) => group.stage === stage).map(({ code, open }) => [code, open]),
      [['ROWS_REJECTED', 2]],
    );
    const ids = (await list(stage)).letters.map(({ id }) => id);
    const ofStage = newest.filter((letter) => letter.stage === stage);
    assert.deepEqual(ofStage.map(({ id }) => id).sort(), [...ids].sort());
    for (const { reason } of ofStage) assert.equal(reason, 'the table lacked a column; it has …');
  });

  it('sends each record back once while an edge does so too, and the edge no longer shows it as open', async () => {
    const { stage, workspace } = await deadLetterEvents(stack, kafka, 6);
    const settings = readConfig(kafkaConfig, environment);
    const edge = keptDeadLetters({
      sources: [ingestEvents],
      kafka: kafkaAccess(settings, 'telltale-test', silentLogger),
      codec: await openCodec(deadLetterDecisions, connectRegistry(settings)),
    });
    const by = { reason: 'a column was added', decided_by: 'key k1' };
    const ids = (await edge.read()).newest.filter((one) => one.stage === stage).map(({ id }) => id);
    const [first = ''] = ids;
    const one = await edge.replay({ ids: new Set([first, 'nonsense']) }, by);
    assert.deepEqual([one.done, one.unknown, one.before], [1, ['nonsense'], []]);
    const again = await edge.replay({ ids: new Set([first]) }, by);
    assert.deepEqual([again.done, again.before.map(({ id }) => id)], [0, [first]]);
    await assert.rejects(run('replay', first), /was replayed at .* by key k1/);
    const open = (await edge.read()).newest.filter((letter) => letter.stage === stage);
    assert.deepEqual(open.map(({ id }) => id).sort(), ids.slice(1).sort());

    const filter = { stage, code: 'ROWS_REJECTED' };
    const [rest] = await Promise.all([edge.replay(filter, by), run('replay', '--stage', stage)]);
    const [, second] = await Promise.allSettled([edge.replay(filter, by), edge.replay(filter, by)]);
    assert.match(second.status === 'rejected' ? String(second.reason) : '', /other dead letters/);
    assert.ok(rest.done <= 5);
    assert.deepEqual([...(await returned(workspace))].sort(), [...ids].sort());
    const { letters } = await list(stage, '--state', 'replayed');
    assert.equal(letters.find(({ id }) => id === first)?.decision_reason, by.reason);
  });

  it('sends each record back to its partition once, marks it, and refuses to do so again', async () => {
    const { stage, workspace } = await deadLetterEvents(stack, kafka, 5, 2);
    const before = await list(stage);
    assert.deepEqual(
      before.groups.map(({ code, open }) => [code, open]),
      [['ROWS_REJECTED', 5]],
    );
    const [first] = before.letters;
    assert.ok(first);
    assert.match(await run('replay', first.id, '--dry-run'), /^1 dead letter would be replayed/);
    assert.deepEqual(await returned(workspace), []);
    assert.match(await run('replay', first.id), /^1 dead letter replayed/);
    await assert.rejects(run('replay', first.id), /was replayed at .* by .* nothing was done/);
    await assert.rejects(run('discard', first.id, '--reason', 'late'), /was replayed at/);
    assert.match(await run('replay', '--stage', stage), /^4 dead letters replayed/);
    assert.match(await run('replay', '--stage', stage), /^0 dead letters replayed/);
    const ids = await returned(workspace);
    assert.deepEqual([...ids].sort(), before.letters.map(({ id }) => id).sort());
    const { groups, letters } = await list(stage, '--state', 'replayed');
    assert.deepEqual([groups[0]?.open, groups[0]?.replayed, letters.length], [0, 5, 5]);
  });

  it('requires a reason to discard a letter, and keeps it', async () => {
    const { stage, workspace } = await deadLetterEvents(stack, kafka, 2);
    await assert.rejects(run('discard', '--stage', stage), /--reason/);
    await assert.rejects(run('discard', '--reason', 'all of them'), /Specify the dead letters/);
    await run('discard', '--stage', stage, '--reason', 'sent by a test machine');
    const { groups, letters } = await list(stage);
    assert.deepEqual([groups[0]?.open, groups[0]?.discarded], [0, 2]);
    assert.equal(letters[0]?.decision_reason, 'sent by a test machine');
    assert.deepEqual(await returned(workspace), []);
    await assert.rejects(run('replay', 'nonsense'), /There is no dead letter nonsense/);
  });

  it('shows the text of a record only to an admin of its workspace', async () => {
    const { stage, workspace } = await deadLetterEvents(stack, kafka, 1);
    const id = (await list(stage)).letters[0]?.id ?? '';
    const keyOf = (of: string): Promise<string> => newKey(environment, of, ['admin']);
    const show = async (key?: string): Promise<string> =>
      runCommand(['dead-letters', 'show', id, '--text', '--json'], {
        ...environment,
        ...(key !== undefined && { TELLTALE_API_KEY: key }),
      });
    assert.match(await run('show', id), /the table lacked a column/);
    await assert.rejects(show(), /TELLTALE_API_KEY is not set/);
    await assert.rejects(show(await keyOf('another')), /belongs to workspace/);
    const shown = JSON.parse(await show(await keyOf(workspace))) as { value: { metric: string } };
    assert.equal(shown.value.metric, 'm');
  });

  it('sends each record back once, even if killed repeatedly and run several times at once', async () => {
    const count = 3_000;
    const { stage, workspace } = await deadLetterEvents(stack, kafka, count);
    const replay = () => spawnTelltale(['dead-letters', 'replay', '--stage', stage], environment);
    for (let round = 0; round < atScale(1, 10); round++) {
      const killed = replay();
      // At any point from the earliest time at which it can have started to commit.
      const timer = setTimeout(() => killed.kill9(), 600 + Math.random() * 1_500);
      await killed.exited;
      clearTimeout(timer);
    }
    const codes = await Promise.all([replay(), replay()].map(({ exited }) => exited));
    assert.ok(codes.includes(0), `exit codes ${codes.join(', ')}`);
    await run('replay', '--stage', stage);
    const ids = await returned(workspace);
    assert.equal(ids.length, count);
    assert.equal(new Set(ids).size, count);
    assert.equal((await list(stage)).groups[0]?.replayed, count);
  });
});
