import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Kafka, Producer } from 'kafkajs';
import { startShardedStatusView } from '../../../../../http-edge/status-view/sharded/sharded-status-view.js';
import { shardingConfig } from '../../../../../http-edge/status-view/sharded/config.js';
import type { StatusView } from '../../../../../http-edge/status-view/status-view.js';
import { readConfig } from '../../../../../runtime/config.js';
import { TelltaleError } from '../../../../../runtime/errors.js';
import { createHealth } from '../../../../../runtime/health.js';
import { createMetrics } from '../../../../../runtime/metrics.js';
import type { TaskStatus } from '../../../../../schemas/generated/task-status.js';
import { pickFreePort } from '../../../../../stack/ports.js';
import { taskStatus } from '../../../../../topics/scoring.js';
import { jsonCodec } from '../../../../support/json-codec.js';
import { accessTo, connectedProducer, plainKafka } from '../../../../support/kafka.js';
import { theStack, type TestStack } from '../../../../support/stack.js';
import { startTcpProxy, type TcpProxy } from '../../../../support/tcp-proxy.js';
import { freshTopic, removeRecords } from '../../../../support/topic-of-test.js';
import { until } from '../../../../support/until.js';

interface Edge {
  readonly view: StatusView;
  readonly url: string;
  readonly folder: string;
  /** Between this edge and its peers, if the test wants one. */
  readonly proxy: TcpProxy | undefined;
  isReady(): boolean;
  stop(): Promise<void>;
}

interface EdgeSettings {
  readonly folder?: string;
  readonly secret?: string;
  readonly copies?: number;
  readonly behindProxy?: boolean;
}

const theSecret = 'a-secret-of-edges-that-share-statuses';
const partitions = 6;

const nth = <Item>(items: readonly Item[], at: number): Item => {
  const item = items[at % items.length];
  assert.ok(item !== undefined);
  return item;
};

describe('a status view that edges share', () => {
  let stack: TestStack;
  let kafka: Kafka;
  let producer: Producer;
  let topic: typeof taskStatus;
  let groupId: string;
  const running = new Set<Edge>();

  before(async () => {
    stack = await theStack();
    kafka = plainKafka(stack.brokers);
    producer = await connectedProducer(kafka);
  });
  beforeEach(async () => {
    topic = { ...taskStatus, name: await freshTopic(kafka, 'shared-status', partitions) };
    groupId = `test.${randomUUID()}`;
  });
  afterEach(() => Promise.all([...running].map((each) => each.stop())));
  after(() => producer.disconnect());

  async function edge(settings: EdgeSettings = {}): Promise<Edge> {
    const { folder, secret = theSecret, copies = 1, behindProxy = false } = settings;
    const port = await pickFreePort();
    const health = createHealth();
    const proxy = behindProxy ? await startTcpProxy(await pickFreePort(), port) : undefined;
    const url = proxy?.url ?? `http://127.0.0.1:${port}`;
    const own = folder ?? join(stack.folder, `shards-${randomUUID()}`);
    const view = await startShardedStatusView({
      folder: own,
      retentionMs: 7 * 86_400_000,
      topic,
      codec: jsonCodec<TaskStatus>(),
      kafka: accessTo(stack.brokers),
      groupId,
      sessionTimeoutMs: 6_000,
      config: readConfig(shardingConfig, {
        STATUS_VIEW: 'sharded',
        STATUS_VIEW_COPIES: String(copies),
        EDGE_PEER_PORT: String(port),
        EDGE_PEER_URL: url,
        EDGE_PEER_SECRET: secret,
      }),
      certificate: {
        certificate: '',
        key: '',
        variables: ['EDGE_TLS_CERTIFICATE_FILE', 'EDGE_TLS_KEY_FILE'],
      },
      condition: health.condition('task statuses'),
      metrics: createMetrics(),
      fatal: (error) => assert.fail(error),
    });
    const self: Edge = {
      view,
      url,
      proxy,
      folder: own,
      isReady: () => health.readiness().ready,
      async stop() {
        running.delete(self);
        await view.stop();
        await proxy?.stop();
      },
    };
    running.add(self);
    return self;
  }
  const edges = async (count: number, settings: EdgeSettings = {}): Promise<Edge[]> => {
    const started = await Promise.all(Array.from({ length: count }, () => edge(settings)));
    await settled(started, (settings.copies ?? 1) * partitions);
    return started;
  };
  const keptBy = ({ folder }: Edge): number =>
    readdirSync(folder).filter((name) => /^\d+$/.test(name)).length;
  /** Resolves once every edge keeps its share and no more. */
  const settled = (some: readonly Edge[], total = partitions): Promise<void> =>
    until('every edge keeps its share', () => {
      const kept = some.map(keptBy);
      return (
        some.every((each) => each.isReady()) &&
        kept.reduce((sum, count) => sum + count, 0) === total &&
        Math.max(...kept) - Math.min(...kept) <= 1
      );
    });

  function status(taskId: string, state: TaskStatus['status'], more: Partial<TaskStatus> = {}): TaskStatus {
    const now = Date.now() * 1_000;
    return {
      ...{ task_id: taskId, workspace: 'acme', metric: 'text_metrics', status: state, message: state },
      ...{ result: null, error: null, accepted_at: now, updated_at: now, request_digest: null },
      ...more,
    };
  }
  const appendBy = (by: Producer, ...statuses: TaskStatus[]): Promise<unknown> =>
    by.send({
      topic: topic.name,
      messages: statuses.map((value) => ({ key: value.task_id, value: JSON.stringify(value) })),
    });
  const append = (...statuses: TaskStatus[]): Promise<unknown> => appendBy(producer, ...statuses);
  const stateOf = async ({ view }: Edge, taskId: string, workspace = 'acme'): Promise<string | undefined> => {
    const body = await view.read(taskId, workspace);
    return body && (JSON.parse(body) as { status: string }).status;
  };
  /** The state that a client sees if it retries after a 503. */
  const stateInTime = async (one: Edge, taskId: string): Promise<string | undefined> => {
    for (;;) {
      try {
        return await stateOf(one, taskId);
      } catch (error) {
        const passing = ['KAFKA_UNREACHABLE', 'TASK_STATUS_AWAY'];
        if (!(error instanceof TelltaleError) || !passing.includes(error.code)) throw error;
      }
    }
  };
  const manyTasks = async (count: number): Promise<string[]> => {
    const ids = Array.from({ length: count }, () => randomUUID());
    await append(...ids.map((id) => status(id, 'queued')));
    return ids;
  };

  it('finds a task on every edge right after it was appended, whoever keeps it', async () => {
    const all = await edges(3);
    for (let round = 0; round < 25; round++) {
      const taskId = randomUUID();
      await append(status(taskId, 'queued'));
      assert.deepEqual(await Promise.all(all.map((each) => stateOf(each, taskId))), Array(3).fill('queued'));
      await append(status(taskId, 'processed'));
      await until('the status moves on', async () => (await stateOf(nth(all, 0), taskId)) === 'processed');
    }
  });

  it('says that there is no such task, even if another workspace has it', async () => {
    const all = await edges(3);
    const ids = await manyTasks(30);
    for (const each of all) {
      assert.equal(await stateOf(each, randomUUID()), undefined);
      for (const id of ids) assert.equal(await stateOf(each, id, 'other'), undefined);
      for (const id of ids) assert.equal(await stateOf(each, id), 'queued');
    }
  });

  it('looks ids up on every edge for repeated requests, and says which are unknown', async () => {
    const all = await edges(2);
    const ids = Array.from({ length: 20 }, () => randomUUID());
    await append(...ids.map((id) => status(id, 'queued', { request_digest: `of ${id}` })));
    for (const { view } of all) {
      const [missing, ...found] = await view.lookup([randomUUID(), ...ids]);
      assert.equal(missing, undefined);
      assert.deepEqual(
        found.map((task) => task?.requestDigest),
        ids.map((id) => `of ${id}`),
      );
    }
  });

  it('waits for a transaction that holds the task, on every edge', async () => {
    const all = await edges(2);
    const transactional = await connectedProducer(kafka, randomUUID());
    const transaction = await transactional.transaction();
    const ids = Array.from({ length: 12 }, () => randomUUID());
    await transaction.send({
      topic: topic.name,
      messages: ids.map((id) => ({ key: id, value: JSON.stringify(status(id, 'processed')) })),
    });
    const away = { code: /KAFKA_UNREACHABLE|TASK_STATUS_AWAY/ };
    await Promise.all(all.map((each) => assert.rejects(stateOf(each, nth(ids, 0)), away)));
    await transaction.commit();
    for (const each of all) for (const id of ids) assert.equal(await stateInTime(each, id), 'processed');
    await transactional.disconnect();
  });

  it('gives a joining edge its share, which the former owner answers for until then', async () => {
    const all = await edges(2);
    const ids = await manyTasks(3_000);
    for (const id of ids.slice(0, 50)) assert.equal(await stateOf(nth(all, 0), id), 'queued');
    let asked = 0;
    let joined = false;
    const goesOn = (): boolean => !joined;
    const asking = (async () => {
      while (goesOn())
        await Promise.all(
          all.flatMap((each) =>
            Array.from({ length: 10 }, async () => {
              const id = nth(ids, asked++);
              assert.equal(await stateOf(each, id), 'queued', 'while an edge joins');
            }),
          ),
        );
    })();
    const third = await edge();
    await settled([...all, third]);
    joined = true;
    await asking;
    for (const id of ids.slice(0, 200)) assert.equal(await stateOf(third, id), 'queued');
    assert.ok(asked > 100, `only ${asked} questions were asked meanwhile`);
  });

  it('answers for an edge that is stopping until the others keep its share', async () => {
    const [leaving = assert.fail(), ...staying] = await edges(3);
    const ids = await manyTasks(3_000);
    let left = false;
    const goesOn = (): boolean => !left;
    let asked = 0;
    const asking = (async () => {
      while (goesOn())
        for (const each of staying) {
          assert.equal(await stateOf(each, nth(ids, asked++)), 'queued', 'while an edge leaves');
        }
    })();
    await leaving.stop();
    left = true;
    await asking;
    await settled(staying);
    for (const each of staying)
      for (const id of ids.slice(0, 200)) assert.equal(await stateOf(each, id), 'queued');
  });

  it('finds every task while the topic grows, also on an edge that does not know the former partition count', async () => {
    const all = await edges(3);
    const before = await manyTasks(60);
    const late = await connectedProducer(kafka);
    await appendBy(late, status(randomUUID(), 'queued'));
    const admin = kafka.admin();
    await admin.connect();
    await admin.createPartitions({ topicPartitions: [{ topic: topic.name, count: 11 }] });
    await until('all partitions are led', async () => {
      const { topics } = await admin.fetchTopicMetadata({ topics: [topic.name] });
      return topics[0]?.partitions.filter(({ leader }) => leader >= 0).length === 11;
    });
    await admin.disconnect();
    const fresh = await connectedProducer(kafka);
    for (let round = 0; round < 60; round++) {
      const taskId = randomUUID();
      await appendBy(round % 2 === 0 ? fresh : late, status(taskId, 'queued'));
      assert.equal(await stateInTime(nth(all, round % 3), taskId), 'queued');
    }
    await settled(all, 11);
    // New statuses of earlier tasks now go to other partitions.
    await appendBy(fresh, ...before.slice(0, 30).map((id) => status(id, 'processed')));
    const stranger = await edge();
    await settled([...all, stranger], 11);
    for (const each of [...all, stranger]) {
      for (const id of before.slice(0, 30)) assert.equal(await stateOf(each, id), 'processed');
      for (const id of before.slice(30)) assert.equal(await stateOf(each, id), 'queued');
    }
    await Promise.all([late.disconnect(), fresh.disconnect()]);
  });

  it('goes on from its stores after a restart', async () => {
    const [first = assert.fail()] = await edges(1);
    const ids = await manyTasks(50);
    for (const id of ids) assert.equal(await stateOf(first, id), 'queued');
    await first.stop();
    // Statuses that are not in the stores can no longer be read from the topic.
    await removeRecords(kafka, topic.name);
    const again = await edge({ folder: first.folder });
    await settled([again]);
    for (const id of ids) assert.equal(await stateOf(again, id), 'queued');
  });

  it('keeps each partition on two edges if configured to', async () => {
    const all = await edges(3, { copies: 2 });
    const ids = await manyTasks(50);
    for (const each of all) for (const id of ids) assert.equal(await stateOf(each, id), 'queued');
  });

  it('answers with the whole result without its primary, or 503 if its record is gone', async () => {
    const [primary = assert.fail(), copy = assert.fail()] = await edges(2, { copies: 2, behindProxy: true });
    const ids = Array.from({ length: 40 }, () => randomUUID());
    const result = JSON.stringify({ prompt: 'größe ✓', score: 0.5 });
    await append(...ids.map((id) => status(id, 'processed', { result, request_digest: id })));
    const answersOf = ({ view }: Edge) => Promise.all(ids.map(async (id) => view.read(id, 'acme')));
    const wanted = await answersOf(primary);
    assert.ok(wanted.every((body) => body?.includes('"score":0.5')));
    assert.deepEqual(await answersOf(copy), wanted);

    await primary.proxy?.stop();
    assert.deepEqual(await answersOf(copy), wanted, 'out of its store, and out of Kafka');
    assert.equal(await copy.view.read(nth(ids, 0), 'other'), undefined);

    await removeRecords(kafka, topic.name);
    const answers = await Promise.allSettled(ids.map(async (id) => copy.view.read(id, 'acme')));
    const failures = answers.flatMap((each) => (each.status === 'rejected' ? [each.reason as Error] : []));
    for (const error of failures)
      assert.ok(error instanceof TelltaleError && error.code === 'TASK_STATUS_AWAY', error.stack);
    assert.ok(failures.length > 0 && failures.length < ids.length, `${failures.length} could not be read`);
    answers.forEach((each, at) => {
      if (each.status === 'fulfilled') assert.equal(each.value, wanted[at]);
    });
    const known = await copy.view.lookup(ids);
    assert.deepEqual(
      known.map((task) => task?.requestDigest),
      ids,
      'a repeated request needs no result',
    );
  });

  it('Statuses of tasks are answered 503: nothing is believed from a group member with another secret', async () => {
    const [one = assert.fail()] = await edges(1);
    const ids = await manyTasks(20);
    const answer = await fetch(`${one.url}/partitions/0/tasks/${nth(ids, 0)}`);
    assert.equal(answer.status, 401);
    const stranger = await edge({ secret: 'another-secret-as-long-as-the-first-one' });
    await until('the stranger has a share', () => keptBy(stranger) === partitions / 2);
    for (const id of ids)
      assert.equal(await stateOf(one, id), 'queued', 'nobody else is believed to keep it');
    await until('the stranger finds what it keeps itself, and no more', async () => {
      const found = await Promise.allSettled(ids.map((id) => stateOf(stranger, id)));
      const kept = found.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
      return kept.length > 0 && kept.length < ids.length && kept.every((state) => state === 'queued');
    });
  });
});
