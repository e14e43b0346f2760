import assert from 'node:assert/strict';
import { createHealth } from '../../../../../runtime/health.js';
import { startCompactedView } from '../../../../../runtime/kafka/views/compacted-view.js';
import { MemoryTarget } from '../../../../../runtime/kafka/views/view-target.js';
import { createMetrics } from '../../../../../runtime/metrics.js';
import { avro, deleteAfter, topic } from '../../../../../topics/topic.js';
import { endsWithin } from '../../../../support/figures.js';
import { jsonCodec } from '../../../../support/json-codec.js';
import { accessTo, connectedProducer, plainKafka } from '../../../../support/kafka.js';
import { theStack } from '../../../../support/stack.js';
import { freshTopic } from '../../../../support/topic-of-test.js';

interface Entry {
  readonly id: string;
}

describe('a view of a compacted topic', () => {
  it('knows committed records even before their commit can be read, and no aborted ones', async () => {
    const { brokers } = await theStack();
    const kafka = plainKafka(brokers);
    const name = await freshTopic(kafka, 'undecided');
    const entries = new MemoryTarget<Entry>();
    const view = startCompactedView({
      topic: topic<Entry>({
        name,
        key: 'task id',
        value: avro<Entry>('none'),
        partitions: 1,
        cleanup: deleteAfter({ days: 1 }),
        owner: 'test',
      }),
      codec: jsonCodec<Entry>(),
      target: entries,
      kafka: accessTo(brokers),
      condition: createHealth().condition('view'),
      metrics: createMetrics(),
      timeoutMs: 60_000,
    });
    await view.caughtUp;
    const producer = await connectedProducer(kafka, name);
    for (const [id, ends] of [
      ['kept', 'commit'],
      ['dropped', 'abort'],
    ] as const) {
      const transaction = await producer.transaction();
      await transaction.send({ topic: name, messages: [{ key: id, value: JSON.stringify({ id }) }] });
      await view.upToDate(id);
      assert.equal(entries.get(id), undefined);
      const decided = view.decided(id);
      assert.equal(await endsWithin(100, decided), false);
      await view.decided(`another than ${id}`);
      await transaction[ends]();
      await decided;
      assert.deepEqual(entries.get(id), id === 'kept' ? { id } : undefined);
    }
    await producer.disconnect();
    await view.stop();
  });
});
