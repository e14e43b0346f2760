import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Kafka, Producer } from 'kafkajs';
import { createHealth } from '../../../../runtime/health.js';
import { startReplies, type Replies } from '../../../../http-edge/replies/replies.js';
import { createMetrics } from '../../../../runtime/metrics.js';
import type { ScoringReply } from '../../../../schemas/generated/scoring-reply.js';
import { scoringReplies } from '../../../../topics/scoring.js';
import { jsonCodec } from '../../../support/json-codec.js';
import { accessTo, connectedProducer, plainKafka } from '../../../support/kafka.js';
import { freshTopic } from '../../../support/topic-of-test.js';
import { theStack, type TestStack } from '../../../support/stack.js';
import { partitionOf } from '../../../../runtime/kafka/protocol/produce-request.js';
import { until } from '../../../support/until.js';

describe('replies to an edge', () => {
  let stack: TestStack;
  let kafka: Kafka;
  let producer: Producer;
  let topic: typeof scoringReplies;
  let replies: Replies;

  before(async () => {
    stack = await theStack();
    kafka = plainKafka(stack.brokers);
    producer = await connectedProducer(kafka, randomUUID());
    topic = { ...scoringReplies, name: await freshTopic(kafka, 'replies', 4) };
    replies = await start(randomUUID());
  });
  after(async () => {
    await replies.stop();
    await producer.disconnect();
  });

  async function start(instance: string, of = topic): Promise<Replies> {
    const health = createHealth();
    const started = startReplies({
      topic: of,
      codec: jsonCodec<ScoringReply>(),
      kafka: accessTo(stack.brokers),
      instance,
      condition: health.condition('replies'),
      metrics: createMetrics(),
    });
    while (!health.readiness().ready) await sleep(5);
    return started;
  }

  const reply = async (to: string, ...ids: string[]): Promise<void> => {
    const transaction = await producer.transaction();
    const messages = ids.map((id) => ({
      key: to,
      value: JSON.stringify({ id, result: `{"of":"${id}"}`, error: null }),
    }));
    await transaction.send({ topic: topic.name, messages });
    await transaction.commit();
  };
  const soon = (): number => Date.now() + 240_000;

  it('reach the waiting caller, whatever else comes', async () => {
    const ids = Array.from({ length: 50 }, () => randomUUID());
    const waiting = ids.map((id) => replies.expect(id, soon()));
    await reply(replies.instance, 'unknown', ...ids.toReversed());
    const answers = await Promise.all(waiting);
    assert.deepEqual(
      answers.map((answer) => answer?.result),
      ids.map((id) => `{"of":"${id}"}`),
    );
  });

  it('are skipped if they are for another edge, even with the same id', async () => {
    const id = randomUUID();
    const waiting = replies.expect(id, soon());
    for (let other = 0; other < 8; other++) await reply(`other-${other}`, id);
    const after = replies.expect('after', soon());
    await reply(replies.instance, 'after');
    assert.ok((await after) !== undefined);
    await sleep(300); // records in other partitions can arrive later
    replies.forget(id);
    assert.equal(await waiting, undefined);
  });

  it('that are too late, or no longer wanted, are undefined', async () => {
    const id = randomUUID();
    assert.equal(await replies.expect(id, Date.now() + 50), undefined);
    const forgotten = replies.expect(id, soon());
    replies.forget(id);
    assert.equal(await forgotten, undefined);
  });

  it('also arrive in a partition that was added to the topic after the start of the edge', async () => {
    const grown = { ...scoringReplies, name: await freshTopic(kafka, 'replies', 1) };
    const instances = Array.from({ length: 100 }, () => randomUUID());
    const instance = instances.find((name) => partitionOf(name, 12) !== 0) ?? '';
    const waiter = await start(instance, grown);
    const admin = kafka.admin();
    await admin.connect();
    await admin.createPartitions({ topicPartitions: [{ topic: grown.name, count: 12 }] });
    await until('all partitions are led', async () => {
      const { topics } = await admin.fetchTopicMetadata({ topics: [grown.name] });
      return topics[0]?.partitions.filter(({ leader }) => leader >= 0).length === 12;
    });
    await admin.disconnect();
    const fresh = await connectedProducer(kafka);
    const answer = waiter.expect('grown', soon());
    const value = JSON.stringify({ id: 'grown', result: '{}', error: null });
    await fresh.send({ topic: grown.name, messages: [{ key: instance, value }] });
    assert.equal((await answer)?.result, '{}');
    await fresh.disconnect();
    await waiter.stop();
  });

  it('from before the start are not read', async () => {
    const [instance, id] = [randomUUID(), randomUUID()];
    await reply(instance, id);
    await sleep(100);
    const late = await start(instance);
    assert.equal(await late.expect(id, Date.now() + 400), undefined);
    await late.stop();
  });
});
