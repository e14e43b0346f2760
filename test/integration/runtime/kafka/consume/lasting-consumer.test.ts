import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createKafka } from '../../../../../runtime/kafka/client/client.js';
import { openLastingConsumer } from '../../../../../runtime/kafka/consume/lasting-consumer.js';
import { type KafkaAccess, plaintext } from '../../../../../runtime/kafka/client/kafka-access.js';
import { accessTo, connectedProducer, plainKafka } from '../../../../support/kafka.js';
import { theStack } from '../../../../support/stack.js';
import { freshTopic } from '../../../../support/topic-of-test.js';
import { until } from '../../../../support/until.js';

/** kafka.apache.org/protocol#protocol_api_keys */
const [joinGroup, heartbeat] = [11, 12];

describe('a member of a group', () => {
  it('rejoins if the coordinator has forgotten it and its first try to rejoin failed', async () => {
    const { brokers } = await theStack();
    const kafka = plainKafka(brokers);
    const topic = await freshTopic(kafka, 'member');
    const groupId = `test-${randomUUID().slice(0, 8)}`;
    const admin = kafka.admin();
    await admin.connect();
    const members = async (): Promise<number> =>
      (await admin.describeGroups([groupId])).groups[0]?.members.length ?? 0;
    const broken = new Map<number, number>();
    const { run, stop, consumer } = openLastingConsumer({
      ...{ kafka: breaking(brokers, broken), groupId, topic, sessionTimeoutMs: 3_000 },
      fetch: { maxWaitTimeInMs: 100 },
      fatal: (error) => assert.fail(error),
    });
    await run({ eachBatch: () => Promise.resolve() });
    await until('it is a member', async () => (await members()) === 1);

    broken.set(heartbeat, Infinity);
    await until('the coordinator has forgotten it', async () => (await members()) === 0);
    broken.set(joinGroup, 1);
    broken.delete(heartbeat);
    await until('it has failed to join', () => broken.get(joinGroup) === 0);
    await until('it is a member again', async () => (await members()) === 1);
    await stop();
    await consumer.disconnect();
    await admin.disconnect();
  });

  it('is still one member if it crashes while rejoining', async () => {
    const { brokers } = await theStack();
    const kafka = plainKafka(brokers);
    const topic = await freshTopic(kafka, 'member');
    const groupId = `test-${randomUUID().slice(0, 8)}`;
    const producer = await connectedProducer(kafka);
    await producer.send({ topic, messages: [{ value: 'one' }] });
    await producer.disconnect();
    const broken = new Map<number, number>();
    let isLost = false;
    let crashes = 0;
    const { run, stop, consumer } = openLastingConsumer({
      ...{ kafka: breaking(brokers, broken), groupId, topic, sessionTimeoutMs: 3_000 },
      fetch: { maxWaitTimeInMs: 100 },
      fatal: (error) => assert.fail(error),
      onCrash: () => (isLost = true),
    });
    consumer.on(consumer.events.CRASH, () => (crashes += 1));
    let joined = 0;
    consumer.on(consumer.events.GROUP_JOIN, () => (joined += 1));
    await run({
      async eachBatch() {
        if (crashes > 0) return;
        broken.set(heartbeat, Infinity);
        await until('its membership is taken for lost', () => isLost);
        broken.delete(heartbeat);
        // kafkajs ends a run on this error, and would start another by itself.
        throw Object.assign(new Error('crash'), { name: 'KafkaJSNotImplemented', retriable: true });
      },
    });
    await until('it has crashed, and is a member again', () => crashes > 0 && joined > 1);
    await sleep(4_000);
    const admin = kafka.admin();
    await admin.connect();
    const [group] = (await admin.describeGroups([groupId])).groups;
    await admin.disconnect();
    await stop();
    await consumer.disconnect();
    assert.equal(group?.members.length, 1);
  });

  it('is idle between its fetches, and so is an admin client: no timer of a connection wakes them', async () => {
    const { brokers } = await theStack();
    const admin = createKafka(accessTo(brokers)).admin();
    await admin.connect();
    await admin.listTopics();
    const topic = await freshTopic(plainKafka(brokers), 'idle');
    let fetches = 0;
    const { run, stop, consumer } = openLastingConsumer({
      ...{ kafka: accessTo(brokers), groupId: `test-${randomUUID().slice(0, 8)}`, topic },
      ...{ sessionTimeoutMs: 3_000, fetch: { maxWaitTimeInMs: 100 } },
      fatal: (error) => assert.fail(error),
    });
    consumer.on(consumer.events.FETCH, () => fetches++);
    await run({ eachBatch: () => Promise.resolve() });
    await until('it fetches', () => fetches > 2);
    const quickTimers = await countQuickTimers(500);
    await stop();
    await consumer.disconnect();
    await admin.disconnect();
    assert.ok(quickTimers < 100, `${quickTimers} timers of a millisecond in half a second`);
  });
});

async function countQuickTimers(ms: number): Promise<number> {
  const original = globalThis.setTimeout;
  let quick = 0;
  const counting = (run: () => void, after?: number, ...more: []) => {
    if ((after ?? 0) <= 1) quick++;
    return original(run, after, ...more);
  };
  globalThis.setTimeout = Object.assign(counting, original);
  try {
    await sleep(ms);
    return quick;
  } finally {
    globalThis.setTimeout = original;
  }
}

/** Breaks this many connections at requests of each kind. */
function breaking(brokers: readonly string[], broken: Map<number, number>): KafkaAccess {
  return {
    ...accessTo(brokers),
    security: {
      ...plaintext,
      openSocket(address, onConnect) {
        const socket = plaintext.openSocket(address, onConnect);
        const write = socket.write.bind(socket);
        socket.write = (request: Buffer, ...more: []) => {
          const key = Buffer.from(request).readInt16BE(4);
          const left = broken.get(key) ?? 0;
          if (left === 0) return write(request, ...more);
          broken.set(key, left - 1);
          socket.destroy(new Error('broken by the test'));
          return false;
        };
        return socket;
      },
    },
  };
}
