import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Kafka } from 'kafkajs';
import { createHealth } from '../../../../../runtime/health.js';
import type { KafkaAccess } from '../../../../../runtime/kafka/client/kafka-access.js';
import { startCompactedView } from '../../../../../runtime/kafka/views/compacted-view.js';
import { MemoryTarget } from '../../../../../runtime/kafka/views/view-target.js';
import {
  createIdempotentAppender,
  type IdempotentAppender,
} from '../../../../../runtime/kafka/transactions/idempotent-appender.js';
import type {
  IdempotentAppend,
  IdempotentAppendResult,
} from '../../../../../runtime/kafka/transactions/idempotent-append-group.js';
import { createMetrics } from '../../../../../runtime/metrics.js';
import { avro, deleteAfter, topic } from '../../../../../topics/topic.js';
import { endsWithin } from '../../../../support/figures.js';
import { unresponsiveConnections } from '../../../../support/unresponsive-connection.js';
import { jsonCodec } from '../../../../support/json-codec.js';
import { accessTo, plainKafka } from '../../../../support/kafka.js';
import { theStack, type TestStack } from '../../../../support/stack.js';
import { freshTopic, recordsOf } from '../../../../support/topic-of-test.js';

interface Entry {
  readonly id: string;
  readonly digest: string;
}
const catalogued = topic<Entry>({
  name: 'replaced by each test',
  key: 'task id',
  value: avro<Entry>('none'),
  partitions: 1,
  cleanup: deleteAfter({ days: 1 }),
  owner: 'test',
});

describe('appending once', () => {
  let stack: TestStack;
  let kafka: Kafka;

  before(async () => {
    stack = await theStack();
    kafka = plainKafka(stack.brokers);
  });

  /** A process that appends once; it follows the topic with its own view. */
  const instance = (
    topicName: string,
    from: KafkaAccess = accessTo(stack.brokers),
    timeoutMs = 240_000,
    isAway: (id: string) => boolean = () => false,
  ): IdempotentAppender<Entry> => {
    const entries = new MemoryTarget<Entry>();
    const metrics = createMetrics();
    const view = startCompactedView({
      topic: { ...catalogued, name: topicName },
      codec: jsonCodec<Entry>(),
      target: entries,
      kafka: accessTo(stack.brokers),
      condition: createHealth().condition('view'),
      metrics,
    });
    const appender = createIdempotentAppender<Entry>({
      kafka: from,
      name: `idempotent-${topicName}`,
      writes: [topicName],
      async lookup(id) {
        if (isAway(id)) throw new Error('the broker of its partition is away');
        await view.upToDate(id);
        return entries.get(id);
      },
      isRepeat: ({ digest }, own) => own.digest !== `not ${digest}`,
      timeoutMs,
      metrics,
    });
    return {
      append: (one) => appender.append(one),
      async stop() {
        await appender.stop();
        await view.stop();
      },
    };
  };
  const call = (
    name: string,
    id: string,
    digest = 'same',
    earlier: string[] = [],
  ): IdempotentAppend<Entry> => ({
    group: id.split('/')[0] ?? id,
    ids: [id, ...earlier],
    entry: { id, digest },
    records: [{ topic: name, key: id, value: Buffer.from(JSON.stringify({ id, digest })) }],
  });
  const countsOf = async (name: string): Promise<Map<string, number>> => {
    const counts = new Map<string, number>();
    for (const { key } of await recordsOf(kafka, name)) {
      counts.set(String(key), (counts.get(String(key)) ?? 0) + 1);
    }
    return counts;
  };

  it('appends the first of several calls, and tells the others what it appended', async () => {
    const name = await freshTopic(kafka, 'once');
    const one = instance(name);
    const results = await Promise.all(
      ['first', 'second', 'third'].map((digest) => one.append(call(name, 'key', digest))),
    );
    assert.deepEqual(results, [
      { kind: 'appended' },
      { kind: 'found', entry: { id: 'key', digest: 'first' } },
      { kind: 'found', entry: { id: 'key', digest: 'first' } },
    ]);
    assert.deepEqual(await countsOf(name), new Map([['key', 1]]));
    await one.stop();
  });

  it('finds what was appended under an earlier id of the same group', async () => {
    const name = await freshTopic(kafka, 'earlier');
    const one = instance(name);
    assert.equal((await one.append(call(name, 'key/monday'))).kind, 'appended');
    assert.deepEqual(await one.append(call(name, 'key/tuesday', 'same', ['key/monday'])), {
      kind: 'found',
      entry: { id: 'key/monday', digest: 'same' },
    });
    const other = call(name, 'key/friday', 'not same', ['key/monday']);
    assert.equal((await one.append(other)).kind, 'appended');
    await one.stop();
  });

  it('lets exactly one of two processes append, for each of many keys that both get at once', async () => {
    const name = await freshTopic(kafka, 'race', 3);
    const both = [instance(name), instance(name)];
    const keys = Array.from({ length: 60 }, (_, index) => `key-${index}`);
    const results: IdempotentAppendResult<Entry>[] = [];
    for (const some of [keys.slice(0, 20), keys.slice(20, 40), keys.slice(40)]) {
      const calls = both.flatMap((one) => some.map((key) => one.append(call(name, key))));
      results.push(...(await Promise.all(calls)));
    }
    assert.deepEqual(await countsOf(name), new Map(keys.map((key) => [key, 1])));
    assert.equal(results.filter(({ kind }) => kind === 'appended').length, keys.length);
    await Promise.all(both.map((one) => one.stop()));
  });

  it('appends once although the answers to a commit were lost', async () => {
    const name = await freshTopic(kafka, 'unheard');
    const connections = unresponsiveConnections();
    const one = instance(name, { ...accessTo(stack.brokers), ...connections });
    assert.equal((await one.append(call(name, 'warm'))).kind, 'appended');
    const rounds = Array.from({ length: 8 }, (_, round) => round);
    for (const round of rounds) {
      const result = one.append(call(name, `warm/${round}`));
      await sleep(round * 3);
      connections.deaf = true;
      await sleep(60);
      connections.deaf = false;
      await result;
    }
    const expected = ['warm', ...rounds.map((round) => `warm/${round}`)];
    assert.deepEqual(await countsOf(name), new Map(expected.map((id) => [id, 1])));
    await one.stop();
  });

  it('goes on with the other calls while one cannot be looked up', async () => {
    const name = await freshTopic(kafka, 'looked-up');
    let away = true;
    const one = instance(name, undefined, undefined, (id) => away && id === 'key/away');
    const late = one.append(call(name, 'key/away'));
    const others = ['key/one', 'key/two'].map((id) => one.append(call(name, id)));
    assert.deepEqual(await Promise.all(others), [{ kind: 'appended' }, { kind: 'appended' }]);
    away = false;
    assert.equal((await late).kind, 'appended');
    assert.deepEqual(await countsOf(name), new Map(['key/one', 'key/two', 'key/away'].map((id) => [id, 1])));
    await one.stop();
  });

  it('says in time that Kafka is down, and accepts the same call again', async () => {
    const name = await freshTopic(kafka, 'away');
    const one = instance(name, undefined, 2_000);
    assert.equal((await one.append(call(name, 'before'))).kind, 'appended');
    // A single broker that is killed between a commit and its marker can lose the marker when it restarts
    // (Kafka 4.3.1, TransactionMarkerChannelManager: "likely deleted already and hence can be skipped").
    assert.deepEqual(await countsOf(name), new Map([['before', 1]]));
    await stack.kafka.kill9();
    const late = one.append(call(name, 'key'));
    assert.ok(await endsWithin(3_000, late));
    await assert.rejects(late, { code: 'APPEND_TIMED_OUT' });
    await stack.kafka.start();
    const again = instance(name);
    await again.append(call(name, 'key'));
    assert.deepEqual(
      await countsOf(name),
      new Map([
        ['before', 1],
        ['key', 1],
      ]),
    );
    await Promise.all([one.stop(), again.stop()]);
  });
});
