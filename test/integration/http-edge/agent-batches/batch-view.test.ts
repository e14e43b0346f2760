import assert from 'node:assert/strict';
import { join } from 'node:path';
import { startBatchView } from '../../../../http-edge/agent-batches/batch-view.js';
import { createHealth } from '../../../../runtime/health.js';
import { partitionOf } from '../../../../runtime/kafka/protocol/produce-request.js';
import { createMetrics } from '../../../../runtime/metrics.js';
import type { IngestBatch } from '../../../../schemas/generated/ingest-batch.js';
import { ingestBatches } from '../../../../topics/ingest.js';
import { jsonCodec } from '../../../support/json-codec.js';
import { accessTo, connectedProducer, plainKafka } from '../../../support/kafka.js';
import { theStack } from '../../../support/stack.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { freshTopic } from '../../../support/topic-of-test.js';
import { until } from '../../../support/until.js';

describe('an edge that starts after the topic of batches has grown', () => {
  const folder = temporaryFolder();

  it('says that it has not read the topic yet, not that it does not know a batch', async () => {
    const { brokers } = await theStack();
    const kafka = plainKafka(brokers);
    const name = await freshTopic(kafka, 'batches', 2);
    const key = ['a', 'b', 'c', 'd'].find((each) => partitionOf(each, 2) === 1) ?? assert.fail();
    const producer = await connectedProducer(kafka);
    const value = JSON.stringify({ spool: 'spool', sequence: 7 });
    // Before the topic grew, the key's partition was 0.
    await producer.send({ topic: name, messages: [{ key, value, partition: 0 }] });
    await producer.disconnect();

    let isRead = false;
    let goOn = (): void => undefined;
    const held = new Promise<void>((resolve) => (goOn = resolve));
    const json = jsonCodec<IngestBatch>();
    const view = startBatchView({
      folder: join(folder(), 'batches'),
      topic: { ...ingestBatches, name },
      codec: {
        ...json,
        async decode(bytes) {
          isRead = true;
          await held;
          return json.decode(bytes);
        },
      },
      kafka: accessTo(brokers),
      condition: createHealth().condition('batches'),
      metrics: createMetrics(),
    });
    await until('the batch is read', () => Promise.resolve(isRead));
    await assert.rejects(view.last(key), { code: 'VIEW_NOT_READ' });
    goOn();
    await until('the view knows the batch', async () => {
      const last = await view.last(key).catch(() => undefined);
      return last?.sequence === 7;
    });
    await view.stop();
  });
});
