import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Kafka } from 'kafkajs';
import {
  createFindingsInFlight,
  type FindingsInFlight,
} from '../../../../../processors/score-metrics/language-model-lane/findings-in-flight.js';
import { stepOfCalls } from '../../../../../processors/score-metrics/language-model-lane/lane-steps.js';
import { TelltaleError } from '../../../../../runtime/errors.js';
import { createHealth } from '../../../../../runtime/health.js';
import { silentLogger } from '../../../../../runtime/logging.js';
import { createMetrics } from '../../../../../runtime/metrics.js';
import { startProcessor, type RunningProcessor } from '../../../../../runtime/processor-loop.js';
import { emit, record } from '../../../../../runtime/processor.js';
import type { CodecBook } from '../../../../../runtime/registry/codec-book.js';
import type { ScoringRequest } from '../../../../../schemas/generated/scoring-request.js';
import { avro, deleteAfter, topic, type Topic } from '../../../../../topics/topic.js';
import { accessTo, plainKafka } from '../../../../support/kafka.js';
import { theStack } from '../../../../support/stack.js';
import { freshTopic, recordsOf } from '../../../../support/topic-of-test.js';
import { until } from '../../../../support/until.js';

const json: CodecBook = {
  of: <Value>() => ({
    encode: (value: Value) => Buffer.from(JSON.stringify(value)),
    decode: (bytes: Buffer) => JSON.parse(bytes.toString()) as Value,
  }),
};

describe('calls that are requeued on Kafka', function () {
  let brokers: readonly string[];
  let kafka: Kafka;
  let lane: Topic<ScoringRequest>;
  let answers: Topic<{ id: string; at: number }>;
  let asked: string[];
  /** Lets the model answer the call `slow`. */
  let release: () => void;
  let isReleased: Promise<void>;
  let running: { loop: RunningProcessor; inFlight: FindingsInFlight }[] = [];

  before(async () => {
    ({ brokers } = await theStack());
    kafka = plainKafka(brokers);
  });
  beforeEach(async () => {
    const declared = {
      key: 'task id',
      partitions: 2,
      cleanup: deleteAfter({ hours: 1 }),
      owner: 'test',
    } as const;
    lane = topic({ ...declared, name: await freshTopic(kafka, 'lane', 2), value: avro<ScoringRequest>('-') });
    answers = topic({ ...declared, name: await freshTopic(kafka, 'answers', 2), value: avro('-') });
    asked = [];
    running = [];
    isReleased = new Promise((resolve) => (release = resolve));
  });
  afterEach(() => Promise.all(running.map(stop)));

  async function stop({ loop, inFlight }: (typeof running)[number]): Promise<void> {
    inFlight.stop();
    await loop.stop();
  }

  /** Starts the lane. Its model takes the prompt's number of milliseconds; `slow` waits for `release`. */
  async function start(): Promise<(typeof running)[number]> {
    const inFlight = createFindingsInFlight({
      atOnce: Infinity,
      now: Date.now,
      find: async ({ id, prompt }, { signal }) => {
        asked.push(id);
        if (id === 'slow') await isReleased;
        await sleep(Number(prompt), undefined, { signal }).catch(() => {
          throw new TelltaleError('LLM_ABANDONED');
        });
        return { findings: {} };
      },
    });
    const step = stepOfCalls(
      {
        inFlight,
        jobOf: ({ id, workspace, prompt, response }) => ({ id, workspace, metric: 'all', prompt, response }),
        score: (requests) =>
          Promise.resolve(
            requests.map(({ value: { id } }) => emit(record(answers, id, { id, at: Date.now() }))),
          ),
        now: Date.now,
      },
      lane,
    );
    const loop = await startProcessor(
      { name: lane.name, from: lane, to: [lane, answers], batchSize: 8, step },
      {
        kafka: accessTo(brokers),
        codecs: json,
        logger: silentLogger,
        metrics: createMetrics(),
        health: createHealth(),
        sessionTimeoutMs: 3_000,
        fatal: (error) => {
          throw error;
        },
      },
    );
    const started = { loop, inFlight };
    running.push(started);
    return started;
  }

  async function call(calls: Readonly<Record<string, number>>): Promise<void> {
    const producer = kafka.producer();
    await producer.connect();
    await producer.send({
      topic: lane.name,
      messages: Object.entries(calls).map(([id, takesMs]) => ({
        key: id,
        value: JSON.stringify({
          id,
          prompt: String(takesMs),
          response: null,
          deadline: (Date.now() + 600_000) * 1_000,
        }),
      })),
    });
    await producer.disconnect();
  }

  async function endOf(name: string): Promise<number> {
    const admin = kafka.admin();
    await admin.connect();
    const ends = await admin.fetchTopicOffsets(name);
    await admin.disconnect();
    return ends.reduce((sum, { high }) => sum + Number(high), 0);
  }
  async function answered(): Promise<{ id: string; at: number }[]> {
    const records = await recordsOf(kafka, answers.name);
    return records.map(({ value }) => JSON.parse(String(value)) as { id: string; at: number });
  }
  async function untilAnswered(count: number): Promise<{ id: string; at: number }[]> {
    const deadline = Date.now() + 240_000;
    for (;;) {
      const found = await answered();
      if (found.length >= count) return found;
      assert.ok(Date.now() < deadline, `${found.length} of ${count} answers`);
    }
  }

  it('are answered once each, and none waits for a slow one', async () => {
    await start();
    await call({ slow: 0 });
    await until('the slow one is asked', () => asked.includes('slow'));
    const fast = Array.from({ length: 20 }, (_, at) => `fast-${at}`);
    await call(Object.fromEntries(fast.map((id) => [id, 50])));
    assert.deepEqual((await untilAnswered(20)).map(({ id }) => id).sort(), fast.toSorted());
    release();
    const found = await untilAnswered(21);
    assert.deepEqual(found.map(({ id }) => id).sort(), ['slow', ...fast].sort());
    assert.deepEqual(
      asked.toSorted(),
      ['slow', ...fast].sort(),
      'each is asked once, however often it is requeued',
    );
    assert.ok((await endOf(lane.name)) > 21, 'nothing went round');
  });

  it('are neither lost nor doubled when the process is replaced while they are requeued', async () => {
    const first = await start();
    const ids = Array.from({ length: 10 }, (_, at) => `call-${at}`);
    await call(Object.fromEntries(ids.map((id, at) => [id, at % 2 === 0 ? 100 : 2_000])));
    await until('all are asked', () => ids.every((id) => asked.includes(id)));
    running = running.filter((each) => each !== first);
    await stop(first);
    await start();
    await untilAnswered(ids.length);
    await sleep(1_000);
    assert.deepEqual((await answered()).map(({ id }) => id).sort(), ids.sort());
  });
});
