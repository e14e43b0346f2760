import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Kafka, Producer } from 'kafkajs';
import { startStatusView, type StatusView } from '../../../../http-edge/status-view/status-view.js';
import { TelltaleError } from '../../../../runtime/errors.js';
import { createHealth, type Health } from '../../../../runtime/health.js';
import { createMetrics } from '../../../../runtime/metrics.js';
import type { TaskStatus } from '../../../../schemas/generated/task-status.js';
import { taskStatus } from '../../../../topics/scoring.js';
import { jsonCodec } from '../../../support/json-codec.js';
import { accessTo, connectedProducer, plainKafka } from '../../../support/kafka.js';
import { freshTopic, makeTopic, removeRecords } from '../../../support/topic-of-test.js';
import { theStack, type TestStack } from '../../../support/stack.js';
import { endsWithin } from '../../../support/figures.js';
import { until } from '../../../support/until.js';

interface Edge {
  readonly view: StatusView;
  readonly health: Health;
  ready(): Promise<void>;
  stop(): Promise<void>;
}

describe('the status view', () => {
  let stack: TestStack;
  let kafka: Kafka;
  let producer: Producer;
  let topic: typeof taskStatus;
  const running = new Set<Edge>();

  before(async () => {
    stack = await theStack();
    kafka = plainKafka(stack.brokers);
    producer = await connectedProducer(kafka);
  });
  beforeEach(async () => {
    topic = { ...taskStatus, name: await freshTopic(kafka, 'status', 4) };
  });
  afterEach(async () => {
    for (const edge of [...running]) await edge.stop();
  });
  after(() => producer.disconnect());

  const newFolder = (): string => join(stack.folder, `view-${randomUUID()}`);

  function edge(folder = newFolder()): Edge {
    const health = createHealth();
    const view = startStatusView({
      folder,
      retentionMs: 7 * 86_400_000,
      topic,
      codec: jsonCodec<TaskStatus>(),
      kafka: accessTo(stack.brokers),
      condition: health.condition('task status'),
      metrics: createMetrics(),
    });
    const self: Edge = {
      view,
      health,
      async ready() {
        while (!health.readiness().ready) await sleep(5);
      },
      async stop() {
        running.delete(self);
        await view.stop();
      },
    };
    running.add(self);
    return self;
  }

  function status(taskId: string, state: TaskStatus['status'], more: Partial<TaskStatus> = {}): TaskStatus {
    const now = Date.now() * 1_000;
    return {
      task_id: taskId,
      workspace: 'acme',
      metric: 'text_metrics',
      status: state,
      message: state,
      result: null,
      error: null,
      accepted_at: now,
      updated_at: now,
      request_digest: null,
      ...more,
    };
  }

  const append = async (...statuses: TaskStatus[]): Promise<void> => {
    const messages = statuses.map((value) => ({ key: value.task_id, value: JSON.stringify(value) }));
    await producer.send({ topic: topic.name, messages });
  };
  const stateOf = async ({ view }: Edge, taskId: string, workspace = 'acme'): Promise<string | undefined> => {
    const body = await view.read(taskId, workspace);
    return body && (JSON.parse(body) as { status: string }).status;
  };

  const onceKnown = async <Answer>(ask: () => Promise<Answer>): Promise<Answer> => {
    for (;;) {
      try {
        return await ask();
      } catch (error) {
        if (!(error instanceof TelltaleError) || error.code !== 'KAFKA_UNREACHABLE') throw error;
      }
    }
  };

  it('finds a task on every edge right after it was appended', async () => {
    const edges = [edge(), edge()];
    await Promise.all(edges.map((each) => each.ready()));
    for (let round = 0; round < 200; round++) {
      const taskId = randomUUID();
      await append(status(taskId, 'queued'));
      assert.deepEqual(await Promise.all(edges.map((each) => stateOf(each, taskId))), ['queued', 'queued']);
    }
  });

  it('finds every task while the topic grows, also one written with the former partition count', async () => {
    const follower = edge();
    await follower.ready();
    const admin = kafka.admin();
    await admin.connect();
    const late = await connectedProducer(kafka);
    const before = randomUUID();
    await late.send({
      topic: topic.name,
      messages: [{ key: before, value: JSON.stringify(status(before, 'queued')) }],
    });
    await admin.createPartitions({ topicPartitions: [{ topic: topic.name, count: 9 }] });
    await until('all partitions are led', async () => {
      const { topics } = await admin.fetchTopicMetadata({ topics: [topic.name] });
      return topics[0]?.partitions.filter(({ leader }) => leader >= 0).length === 9;
    });
    await admin.disconnect();
    const fresh = await connectedProducer(kafka);
    const found: (string | undefined)[] = [];
    for (let round = 0; round < 60; round++) {
      const taskId = randomUUID();
      const value = JSON.stringify(status(taskId, 'queued'));
      await (round % 2 === 0 ? fresh : late).send({ topic: topic.name, messages: [{ key: taskId, value }] });
      found.push(await stateOf(follower, taskId));
    }
    assert.deepEqual(
      found,
      Array.from({ length: 60 }, () => 'queued'),
    );
    await fresh.send({
      topic: topic.name,
      messages: [{ key: before, value: JSON.stringify(status(before, 'processed')) }],
    });
    await until(
      'the status of a task moves on',
      async () => (await stateOf(follower, before)) === 'processed',
    );
    await Promise.all([late.disconnect(), fresh.disconnect()]);
  });

  it('finds a task even if a transaction on another task of its partition is open', async () => {
    const one = edge();
    await one.ready();
    const transactional = await connectedProducer(kafka, randomUUID());
    const transaction = await transactional.transaction();
    const others = Array.from({ length: 20 }, () => randomUUID());
    await transaction.send({
      topic: topic.name,
      messages: others.map((id) => ({ key: id, value: JSON.stringify(status(id, 'processed')) })),
    });
    const mine = others.map(() => randomUUID());
    await append(...mine.map((id) => status(id, 'queued')));
    for (const id of mine) assert.equal(await stateOf(one, id), 'queued');
    await assert.rejects(stateOf(one, others[0] ?? ''), { code: 'KAFKA_UNREACHABLE' });
    await transaction.commit();
    // A commit is confirmed before all its markers are written; "can't know in time" is no wrong answer.
    for (const id of others) assert.equal(await onceKnown(() => stateOf(one, id)), 'processed');
    await transactional.disconnect();
  });

  it('says that there is no such task, even if another workspace has it', async () => {
    const one = edge();
    await one.ready();
    const taskId = randomUUID();
    await append(status(taskId, 'queued'));
    assert.equal(await stateOf(one, randomUUID()), undefined);
    assert.equal(await stateOf(one, taskId, 'other'), undefined);
    assert.equal(await stateOf(one, 'x'.repeat(5_000)), undefined);
    assert.equal(await stateOf(one, taskId), 'queued');
  });

  it('answers a hit without waiting', async () => {
    const one = edge();
    await one.ready();
    const taskId = randomUUID();
    await append(status(taskId, 'queued'));
    await stateOf(one, taskId);
    assert.equal(typeof one.view.read(taskId, 'acme'), 'string');
  });

  it('looks ids up for repeated requests, and says which are unknown', async () => {
    const one = edge();
    await one.ready();
    const [known, unknown] = [randomUUID(), randomUUID()];
    await append(status(known, 'queued', { request_digest: 'sha', accepted_at: Date.now() * 1_000 }));
    const [found, missing] = await one.view.lookup([known, unknown]);
    assert.equal(found?.taskId, known);
    assert.equal(found.requestDigest, 'sha');
    assert.equal(missing, undefined);
  });

  it('passes over a record that cannot be decoded', async () => {
    const one = edge();
    await one.ready();
    const taskId = randomUUID();
    await producer.send({ topic: topic.name, messages: [{ key: taskId, value: 'not JSON' }] });
    await append(status(taskId, 'queued'));
    assert.equal(await stateOf(one, taskId), 'queued');
  });

  it('goes on from its checkpoint after a restart, with what came in between', async () => {
    const folder = newFolder();
    const first = edge(folder);
    await first.ready();
    const [before, between] = [randomUUID(), randomUUID()];
    await append(status(before, 'processed'));
    assert.equal(await stateOf(first, before), 'processed');
    await first.stop();
    // Statuses that are not in the store can no longer be read from the topic.
    await removeRecords(kafka, topic.name);
    await append(status(between, 'queued'));
    await append(status(before, 'queued'));
    const second = edge(folder);
    await second.ready();
    assert.equal(typeof second.view.read(between, 'acme'), 'string');
    assert.equal(await stateOf(second, before), 'processed');
  });

  it('does not trust a store of a topic that was deleted and recreated', async () => {
    const folder = newFolder();
    const first = edge(folder);
    await first.ready();
    const gone = randomUUID();
    await append(status(gone, 'processed'));
    assert.equal(await stateOf(first, gone), 'processed');
    await first.stop();
    const admin = kafka.admin();
    await admin.connect();
    await admin.deleteTopics({ topics: [topic.name] });
    await sleep(500);
    await makeTopic(kafka, topic.name, 4);
    await admin.disconnect();
    const ids = Array.from({ length: 40 }, () => randomUUID());
    producer = await connectedProducer(kafka);
    await append(...ids.map((id) => status(id, 'queued')));
    const second = edge(folder);
    await second.ready();
    assert.equal(await stateOf(second, gone), undefined);
    for (const id of ids) assert.equal(await stateOf(second, id), 'queued');
  });

  it('rebuilds a store that was damaged', async () => {
    const folder = newFolder();
    const taskId = randomUUID();
    const first = edge(folder);
    await append(status(taskId, 'processed'));
    await first.ready();
    await first.stop();
    for (const file of readdirSync(folder)) writeFileSync(join(folder, file), 'garbage'.repeat(10_000));
    const second = edge(folder);
    await second.ready();
    assert.equal(await stateOf(second, taskId), 'processed');
    await second.stop();
    rmSync(folder, { recursive: true });
  });

  it('says within two seconds that Kafka is down, still answers hits, and finds everything once it is back', async () => {
    const one = edge();
    await one.ready();
    const [known, unknown] = [randomUUID(), randomUUID()];
    await append(status(known, 'queued'));
    assert.equal(await stateOf(one, known), 'queued');
    await stack.kafka.kill9();
    try {
      const reading = Promise.resolve(one.view.read(unknown, 'acme'));
      assert.ok(await endsWithin(2_500, reading));
      await assert.rejects(
        reading,
        (error) => error instanceof TelltaleError && error.code === 'KAFKA_UNREACHABLE',
      );
      assert.equal(await stateOf(one, known), 'queued');
    } finally {
      await stack.kafka.start();
    }
    await append(status(unknown, 'queued'));
    let state: string | undefined;
    while (state === undefined) state = await stateOf(one, unknown).catch(() => undefined);
    assert.equal(state, 'queued');
  });
});
