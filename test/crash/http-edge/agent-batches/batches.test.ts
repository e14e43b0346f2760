import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { openCodec } from '../../../../runtime/registry/codec.js';
import { connectRegistry } from '../../../../runtime/registry/registry.js';
import { ingestEvents } from '../../../../topics/ingest.js';
import { plainKafka } from '../../../support/kafka.js';
import { killable, sharedPipeline } from '../../../support/pipeline.js';
import { role, type Role } from '../../../support/roles.js';
import { atScale } from '../../../support/scale.js';
import type { TestStack } from '../../../support/stack.js';
import { recordsOf } from '../../../support/topic-of-test.js';
import { secondLongest, turnsOf } from '../../../support/figures.js';

const dying = {
  NODE_OPTIONS: `--import=${new URL('../../../support/die-before-answer.js', import.meta.url).href}`,
};

interface Sent {
  readonly status: number;
  readonly body: { readonly accepted?: number; readonly rejected_count?: number };
}

describe('a batch of an agent', () => {
  let stack: TestStack;
  let key: string;
  let edges: readonly Role[];
  let edgeOf: (name: string, more?: Readonly<Record<string, string>>) => Promise<Role>;

  before(async () => {
    const pipeline = await sharedPipeline(`batches-${randomUUID().slice(0, 8)}`, killable);
    const { environment, folder } = pipeline;
    ({ stack, key } = pipeline);
    edgeOf = async (name, more = {}) => {
      const edge = await role({
        command: 'edge',
        portVariable: 'EDGE_PORT',
        environment: { ...environment, ...more, TELLTALE_STATE: join(folder, name) },
        logFile: join(folder, `${name}.log`),
      });
      await edge.start();
      return edge;
    };
    edges = [pipeline.edge, await pipeline.anotherEdge()];
  });
  after(() => second().stop());

  const batchOf = (metric: string, events: number): Buffer =>
    gzipSync(
      Array.from({ length: events }, (_, index) =>
        JSON.stringify({ metric, type: 'gauge', value: index, cluster: 'c' }),
      ).join('\n'),
    );
  const send = async (edge: Role, id: string, body: Buffer): Promise<Sent> => {
    const answer = await fetch(`${edge.url}/api/v1/agent/events`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/x-ndjson',
        'content-encoding': 'gzip',
        'batch-id': id,
      },
      body: new Uint8Array(body),
    });
    return { status: answer.status, body: (await answer.json()) as Sent['body'] };
  };
  /** Resends the same batch, as an agent does, for as long as the edge can't accept it in time. */
  const sendUntilTaken = async (edge: Role, id: string, body: Buffer): Promise<Sent> => {
    let sent = await send(edge, id, body);
    for (; sent.status === 503 || sent.status === 429; sent = await send(edge, id, body)) await sleep(100);
    return sent;
  };
  /** How many events each of these metrics has in the topic. */
  const stored = async (metrics: readonly string[]): Promise<readonly number[]> => {
    const kafka = plainKafka(stack.brokers);
    const codec = await openCodec(ingestEvents, connectRegistry(stack.registryConfig));
    const counts = new Map(metrics.map((metric) => [metric, 0]));
    for (const { value } of await recordsOf(kafka, ingestEvents.name)) {
      const { metric } = await codec.decode(value ?? Buffer.alloc(0));
      const count = counts.get(metric);
      if (count !== undefined) counts.set(metric, count + 1);
    }
    return [...counts.values()];
  };
  const first = (): Role => edges[0] ?? assert.fail();
  const second = (): Role => edges[1] ?? assert.fail();

  it('sent twice is stored once and answered the same, and another one under its number is a conflict', async () => {
    const spool = randomUUID();
    const metric = randomUUID();
    const answers = [
      await sendUntilTaken(first(), `${spool}/1`, batchOf(metric, 300)),
      await sendUntilTaken(first(), `${spool}/1`, batchOf(metric, 300)),
      await sendUntilTaken(second(), `${spool}/1`, batchOf(metric, 300)),
    ];
    for (const answer of answers)
      assert.deepEqual(answer, { status: 200, body: { accepted: 300, rejected: [], rejected_count: 0 } });
    assert.equal((await sendUntilTaken(second(), `${spool}/1`, batchOf(metric, 299))).status, 409);
    assert.equal((await sendUntilTaken(second(), `${spool}/2`, batchOf(metric, 10))).status, 200);
    assert.equal((await sendUntilTaken(second(), `${spool}/1`, batchOf(metric, 300))).status, 409);
    assert.deepEqual(await stored([metric]), [310]);
  });

  it('sent to two edges at once is stored once', async () => {
    const metrics = Array.from({ length: 25 }, () => randomUUID());
    const answers = await Promise.all(
      metrics.flatMap((metric) =>
        edges.map((edge) => sendUntilTaken(edge, `${metric}/0`, batchOf(metric, 40))),
      ),
    );
    assert.deepEqual(
      new Set(answers.map(({ status, body }) => `${status} ${body.accepted}`)),
      new Set(['200 40']),
    );
    assert.deepEqual(
      await stored(metrics),
      metrics.map(() => 40),
    );
  });

  it('is stored once although its edge was killed between the commit and the answer', async () => {
    const metrics = Array.from({ length: atScale(1, 3) }, () => randomUUID());
    for (const [round, metric] of metrics.entries()) {
      const doomed = await edgeOf(`doomed-${round}`, dying);
      await assert.rejects(send(doomed, `${metric}/7`, batchOf(metric, 500)));
      await doomed.kill9();
      assert.deepEqual(await sendUntilTaken(second(), `${metric}/7`, batchOf(metric, 500)), {
        status: 200,
        body: { accepted: 500, rejected: [], rejected_count: 0 },
      });
    }
    assert.deepEqual(
      await stored(metrics),
      metrics.map(() => 500),
    );
  });

  const sendEvents = async (edge: Role, idempotencyKey: string, value = 1): Promise<number> => {
    for (;;) {
      const { status } = await fetch(edge.url, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          'idempotency-key': idempotencyKey,
        },
        body: JSON.stringify([1, 2, 3].map(() => ({ metric: idempotencyKey, type: 'gauge', value }))),
      });
      if (status !== 503 && status !== 429) return status;
      await sleep(100);
    }
  };

  it('is stored once too if an application sends events under an Idempotency-Key, however the first try ended', async () => {
    const keys = Array.from({ length: 5 }, () => randomUUID());
    const doomed = await edgeOf('doomed-events', dying);
    try {
      await assert.rejects(sendEvents(doomed, keys[0] ?? ''));
    } finally {
      await doomed.kill9();
    }
    const answers = await Promise.all(
      keys.flatMap((each) => [...edges, ...edges].map((edge) => sendEvents(edge, each))),
    );
    assert.deepEqual(new Set(answers), new Set([200]));
    assert.equal(await sendEvents(first(), keys[0] ?? '', 2), 409);
    assert.deepEqual(
      await stored(keys),
      keys.map(() => 3),
    );
  });

  it('is refused in time while Kafka is down, and accepted once it is back', async () => {
    const metric = randomUUID();
    await stack.kafka.kill9();
    const times: number[] = [];
    for (let tried = 0; tried < 5; tried += 1) {
      const refused = async (): Promise<void> => {
        assert.equal((await send(first(), `${metric}/1`, batchOf(metric, 20))).status, 503);
      };
      times.push(await turnsOf(refused()));
    }
    assert.ok(secondLongest(times) < 3_000, `${times.join(', ')} ms`);
    await stack.kafka.start();
    assert.equal((await sendUntilTaken(first(), `${metric}/1`, batchOf(metric, 20))).status, 200);
    assert.deepEqual(await stored([metric]), [20]);
  });

  it('that is too large for one request to Kafka is stored whole', async () => {
    const metric = randomUUID();
    const most = 20_000;
    const sent = await sendUntilTaken(first(), `${metric}/1`, batchOf(metric, most));
    assert.equal(sent.body.accepted, most);
    assert.deepEqual(await stored([metric]), [most]);
  });
});
