import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import {
  openGroupConsumer,
  type GroupConsumer,
} from '../../../../../runtime/kafka/consume/group-consumer.js';
import { createMetrics } from '../../../../../runtime/metrics.js';
import { accessTo, connectedProducer, numbered, plainKafka } from '../../../../support/kafka.js';
import { theStack } from '../../../../support/stack.js';
import { freshTopic } from '../../../../support/topic-of-test.js';
import { until } from '../../../../support/until.js';

describe('a consumer of a group', () => {
  it('continues after an error on which the library gives up', async () => {
    const { brokers } = await theStack();
    const kafka = plainKafka(brokers);
    const topic = await freshTopic(kafka, 'group-consumer');
    const producer = await connectedProducer(kafka);
    await producer.send({ topic, messages: numbered(0, 3) });
    let crashes = 0;
    const group = await openGroupConsumer({
      ...{
        kafka: accessTo(brokers),
        topic,
        groupId: `test.${randomUUID()}`,
        partitions: 1,
        fetch: { maxWaitTimeInMs: 100 },
      },
      metrics: createMetrics(),
      sessionTimeoutMs: 3_000,
      fatal: (error) => assert.fail(error),
      onAssigned: () => undefined,
      onSkipped: () => undefined,
      onCrash: () => void (crashes += 1),
    });
    const seen: string[] = [];
    await group.run(({ records }) => {
      // kafkajs throws this non-retriable error if a group has no coordinator.
      if (crashes === 0)
        return Promise.reject(
          Object.assign(new Error('no coordinator'), { name: 'KafkaJSNotImplemented', retriable: false }),
        );
      seen.push(...records.map(({ value }) => String(value)));
      return Promise.resolve();
    });
    await until('it has read all', () => seen.length >= 3);
    assert.equal(crashes, 1);
    await group.stop(() => undefined);
    await producer.disconnect();
  });

  it('has left its group after a stop, even if it was rejoining after a failure', async () => {
    const { brokers } = await theStack();
    const kafka = plainKafka(brokers);
    const topic = await freshTopic(kafka, 'stopped-joining', 2);
    const groupId = `test.${randomUUID()}`;
    const member = async (eachBatch: () => Promise<void>, onCrash: () => void) => {
      let held = 0;
      const group = await openGroupConsumer({
        ...{ topic, groupId, partitions: 2, fetch: { maxWaitTimeInMs: 100 }, sessionTimeoutMs: 30_000 },
        kafka: accessTo(brokers),
        metrics: createMetrics(),
        fatal: (error) => assert.fail(error),
        onAssigned: ({ length }) => void (held = length),
        onSkipped: () => undefined,
        onCrash,
      });
      await group.run(eachBatch);
      return { group, held: () => held };
    };
    const lasting = await member(
      () => Promise.resolve(),
      () => undefined,
    );
    let crashedAt = 0;
    const failing = await member(
      () =>
        Promise.reject(
          Object.assign(new Error('failed'), { name: 'KafkaJSNotImplemented', retriable: false }),
        ),
      () => (crashedAt = Date.now()),
    );
    await until('both have a partition', () => failing.held() === 1 && lasting.held() === 1);
    const producer = await connectedProducer(kafka);
    await producer.send({ topic, messages: [0, 1].map((partition) => ({ value: 'x', partition })) });
    await until('one has failed', () => crashedAt > 0);
    // It rejoins a second later, and the other member learns this with its next heartbeat.
    await until('it joins again', () => Date.now() - crashedAt > 1_100);
    await failing.group.stop(() => undefined);
    const admin = kafka.admin();
    await admin.connect();
    const members = async () => (await admin.describeGroups([groupId])).groups[0]?.members.length;
    await until('one member is left', async () => (await members()) === 1);
    await lasting.group.stop(() => undefined);
    await Promise.all([producer, admin].map((client) => client.disconnect()));
  });

  it('gets its own partitions back after a restart if it has a name, and moves none of another member', async () => {
    const { brokers } = await theStack();
    const topic = await freshTopic(plainKafka(brokers), 'static-members', 4);
    const groupId = `test.${randomUUID()}`;
    const member = async (name: string): Promise<{ group: GroupConsumer; assigned: number[][] }> => {
      const assigned: number[][] = [];
      const group = await openGroupConsumer({
        ...{ topic, groupId, partitions: 4, fetch: { maxWaitTimeInMs: 100 }, sessionTimeoutMs: 10_000 },
        kafka: { ...accessTo(brokers), groupInstanceId: name },
        metrics: createMetrics(),
        fatal: (error) => assert.fail(error),
        onAssigned: (partitions) => void assigned.push([...partitions]),
        onSkipped: () => undefined,
        onCrash: () => assert.fail('the consumer failed'),
      });
      await group.run(() => Promise.resolve());
      return { group, assigned };
    };
    const [first, second] = [await member('first'), await member('second')];
    await until('both have partitions', () =>
      [first, second].every(({ assigned }) => assigned.at(-1)?.length === 2),
    );
    const before = first.assigned.length;
    await second.group.stop(() => undefined);
    const again = await member('second');
    await until('it has partitions again', () => again.assigned.length > 0);
    assert.deepEqual(again.assigned, [second.assigned.at(-1)]);
    assert.equal(first.assigned.length, before);
    await Promise.all([first, again].map(({ group }) => group.stop(() => undefined)));
  });

  it('is assigned partitions that its topic gained while it was down, even if it leads the group', async () => {
    const { brokers } = await theStack();
    const kafka = plainKafka(brokers);
    const topic = await freshTopic(kafka, 'grown-without-leader', 2);
    const groupId = `test.${randomUUID()}`;
    const held = new Map<string, readonly number[]>();
    const member = async (name: string): Promise<GroupConsumer> => {
      const group = await openGroupConsumer({
        ...{ topic, groupId, partitions: 6, fetch: { maxWaitTimeInMs: 100 }, sessionTimeoutMs: 300_000 },
        kafka: { ...accessTo(brokers), groupInstanceId: name },
        metrics: createMetrics(),
        fatal: (error) => assert.fail(error),
        onAssigned: (partitions) => void held.set(name, partitions),
        onSkipped: () => undefined,
        onCrash: () => assert.fail('the consumer failed'),
      });
      await group.run(() => Promise.resolve());
      return group;
    };
    const leader = await member('leader');
    const other = await member('other');
    await until(
      'both have partitions',
      () => held.get('leader')?.length === 1 && held.get('other')?.length === 1,
    );
    await leader.stop(() => undefined);
    const admin = kafka.admin();
    await admin.connect();
    await admin.createPartitions({ topicPartitions: [{ topic, count: 6 }] });
    await admin.disconnect();
    const again = await member('leader');
    await until('all are assigned', () => [...held.values()].flat().length === 6);
    await Promise.all([again, other].map((group) => group.stop(() => undefined)));
  });

  it('knows the position of a partition that its topic gained since it last asked', async () => {
    const { brokers } = await theStack();
    const kafka = plainKafka(brokers);
    const topic = await freshTopic(kafka, 'grown-since');
    const groupId = `test.${randomUUID()}`;
    const group = await openGroupConsumer({
      ...{ topic, groupId, partitions: 2, fetch: { maxWaitTimeInMs: 100 }, sessionTimeoutMs: 10_000 },
      kafka: accessTo(brokers),
      metrics: createMetrics(),
      fatal: (error) => assert.fail(error),
      onAssigned: () => undefined,
      onSkipped: () => undefined,
      onCrash: () => undefined,
    });
    assert.equal((await group.position(0)).committed, -1);
    const admin = kafka.admin();
    await admin.connect();
    await admin.createPartitions({ topicPartitions: [{ topic, count: 2 }] });
    const producer = await connectedProducer(kafka);
    await producer.send({ topic, messages: numbered(0, 3).map((message) => ({ ...message, partition: 1 })) });
    await admin.setOffsets({ groupId, topic, partitions: [{ partition: 1, offset: '2' }] });
    const { committed, logStart, logEnd } = await group.position(1);
    assert.deepEqual({ committed, logStart, logEnd }, { committed: 2, logStart: 0, logEnd: 3 });
    await assert.rejects(group.position(2), { type: 'UNKNOWN_TOPIC_OR_PARTITION' });
    await group.stop(() => undefined);
    await Promise.all([producer, admin].map((client) => client.disconnect()));
  });

  it('ends if another process has joined under its name', async () => {
    const { brokers } = await theStack();
    const topic = await freshTopic(plainKafka(brokers), 'same-names');
    const groupId = `test.${randomUUID()}`;
    const ended: string[] = [];
    const member = async (name: string): Promise<GroupConsumer> => {
      const group = await openGroupConsumer({
        ...{ topic, groupId, partitions: 1, fetch: { maxWaitTimeInMs: 100 }, sessionTimeoutMs: 10_000 },
        kafka: { ...accessTo(brokers), groupInstanceId: 'same' },
        metrics: createMetrics(),
        fatal: ({ code }) => void ended.push(`${name}: ${code}`),
        onAssigned: () => undefined,
        onSkipped: () => undefined,
        onCrash: () => undefined,
      });
      await group.run(() => Promise.resolve());
      return group;
    };
    const members = [await member('older'), await member('newer')];
    await until('one has ended', () => ended.length > 0);
    assert.deepEqual(ended, ['older: GROUP_INSTANCE_TAKEN']);
    await Promise.all(members.map((group) => group.stop(() => undefined)));
  });
});
