import assert from 'node:assert/strict';
import type { Kafka, Producer } from 'kafkajs';
import { startAccessKeys, type FollowedAccessKeys } from '../../../../http-edge/keys/access-keys.js';
import { startKeyUses } from '../../../../http-edge/keys/key-uses.js';
import { createHealth } from '../../../../runtime/health.js';
import { createMetrics } from '../../../../runtime/metrics.js';
import type { Appender } from '../../../../runtime/kafka/produce/appender.js';
import type { KeyUse } from '../../../../schemas/generated/key-use.js';
import type { ApiKey } from '../../../../schemas/generated/api-key.js';
import { apiKeys, keyUses } from '../../../../topics/access.js';
import { jsonCodec } from '../../../support/json-codec.js';
import { accessTo, connectedProducer, plainKafka } from '../../../support/kafka.js';
import { freshTopic } from '../../../support/topic-of-test.js';
import { theStack, type TestStack } from '../../../support/stack.js';
import { until } from '../../../support/until.js';
import { secondLongest, turnsOf } from '../../../support/figures.js';

describe('the access keys of an edge', () => {
  let stack: TestStack;
  let kafka: Kafka;
  let producer: Producer;
  let topic: typeof apiKeys;
  const running: FollowedAccessKeys[] = [];

  before(async () => {
    stack = await theStack();
    kafka = plainKafka(stack.brokers);
    producer = await connectedProducer(kafka);
    topic = { ...apiKeys, name: await freshTopic(kafka, 'keys') };
  });
  after(async () => {
    await Promise.all(running.map((keys) => keys.stop()));
    await producer.disconnect();
  });

  let appended = 0;
  const appendOneByOne: Appender['append'] = async (...stages) => {
    appended += stages.flat().length;
    for (const { topic: name, key, value } of stages.flat())
      await producer.send({ topic: name, messages: [{ key, value }] });
  };

  function start(): FollowedAccessKeys {
    const keys = startAccessKeys({
      topic,
      codec: jsonCodec<ApiKey>(),
      kafka: accessTo(stack.brokers),
      appender: {
        append: appendOneByOne,
      },
      condition: createHealth().condition('keys'),
      metrics: createMetrics(),
    });
    running.push(keys);
    return keys;
  }

  const keyOf = (id: string, more: Partial<ApiKey> = {}): ApiKey => ({
    key_id: id,
    workspace: 'acme',
    name: id,
    scopes: ['metrics'],
    secret_hash: 'hash',
    created_at: 1,
    expires_at: null,
    revoked_at: null,
    ...more,
  });

  it('are not called unknown while a starting edge is still reading them', async () => {
    const keys = start();
    assert.throws(() => keys.find('a'), { code: 'VIEW_NOT_READ' });
    assert.throws(() => keys.list(), { code: 'VIEW_NOT_READ' });
    await keys.caughtUp;
    assert.equal(keys.find('a'), undefined);
  });

  it('were last used when any edge let them in, which the other edges learn later', async () => {
    const uses = { ...keyUses, name: await freshTopic(kafka, 'key-uses') };
    const follow = (): ReturnType<typeof startKeyUses> =>
      startKeyUses({
        topic: uses,
        codec: jsonCodec<KeyUse>(),
        kafka: accessTo(stack.brokers),
        appender: { append: appendOneByOne },
        condition: createHealth().condition('uses'),
        metrics: createMetrics(),
        isKnown: (id) => id !== unknown,
        everyMs: 20,
      });
    let unknown = '';
    const [one, other] = [follow(), follow()];
    assert.equal(other.last('a'), null);
    one.note('a', 1_000);
    assert.equal(one.last('a'), 1_000);
    await until('the other edge knows', () => other.last('a') === 1_000);
    one.note('a', 3_000);
    other.note('a', 2_000);
    await until('the later use counts everywhere', () => other.last('a') === 3_000);
    one.note('b', 4_000);
    unknown = 'a';
    await until('the use of a key that is gone is forgotten', () => other.last('a') === null);
    await one.stop();
    await until('a stopping edge has written what it knew', () => other.last('b') === 4_000);
    await other.stop();
  });

  it('are known at once on the edge that stored them, and on another edge after its start', async () => {
    const one = start();
    await one.caughtUp;
    await one.put(keyOf('a'));
    await one.put(keyOf('b', { workspace: 'other' }));
    assert.equal(one.find('a')?.name, 'a');
    const two = start();
    await two.caughtUp;
    assert.deepEqual(
      two.list().map(({ key_id }) => key_id),
      ['a', 'b'],
    );
    assert.deepEqual(
      two.list('other').map(({ key_id }) => key_id),
      ['b'],
    );
  });

  it('are removed from every edge, once, however many ask for it', async () => {
    const [one, two] = [start(), start()];
    await Promise.all([one.caughtUp, two.caughtUp]);
    await one.put(keyOf('gone'));
    await until('the other edge knows it', () => two.find('gone') !== undefined);
    const before = appended;
    await Promise.all([one.remove('gone'), one.remove('gone'), one.remove('gone')]);
    assert.equal(appended, before + 1);
    assert.equal(one.find('gone'), undefined);
    await until('it is gone elsewhere', () => two.find('gone') === undefined);
  });

  it('are refused on another edge within a second of being revoked', async () => {
    const [one, two] = [start(), start()];
    await Promise.all([one.caughtUp, two.caughtUp]);
    const times: number[] = [];
    for (let tried = 0; tried < 10; tried += 1) {
      const id = `c${tried}`;
      await one.put(keyOf(id));
      const refused = async (): Promise<void> => {
        await one.put(keyOf(id, { revoked_at: 2 }));
        await until('the revocation is known', () => two.find(id)?.revoked_at === 2);
      };
      times.push(await turnsOf(refused()));
    }
    assert.ok(secondLongest(times) < 1_000, `${times.join(', ')} ms`);
  });
});
