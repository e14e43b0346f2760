import { randomUUID } from 'node:crypto';
import type { Kafka } from 'kafkajs';
import { deadLetterRecord } from '../../runtime/dead-letters/dead-letter.js';
import { openCodec } from '../../runtime/registry/codec.js';
import { connectRegistry } from '../../runtime/registry/registry.js';
import { ingestEvents } from '../../topics/ingest.js';
import { connectedProducer } from './kafka.js';
import type { TestStack } from './stack.js';

/** Writes dead letters of valid events as a stage of this name would, each `copies` times. */
export async function deadLetterEvents(
  stack: TestStack,
  kafka: Kafka,
  count: number,
  copies = 1,
): Promise<{ readonly stage: string; readonly workspace: string }> {
  const name = randomUUID().slice(0, 8);
  const [stage, workspace] = [`stage-${name}`, `workspace-${name}`];
  const codec = await openCodec(ingestEvents, connectRegistry(stack.registryConfig));
  const at = Date.now() * 1_000;
  const messages = Array.from({ length: count }, (_, index) => {
    const letter = deadLetterRecord({
      topic: ingestEvents.name,
      partition: index % 3, // partitions that every topic of the tests has
      offset: index,
      key: Buffer.from(`${workspace}:m`),
      value: codec.encode({
        workspace,
        key_id: 'key',
        metric: 'm',
        type: 'increment',
        value: index,
        cluster: null,
        occurred_at: at,
        received_at: at,
        source: 'edge',
      }),
      stage,
      code: 'ROWS_REJECTED',
      reason: "the table lacked a column; it has 'a value'",
    });
    const { key, value, headers = {} } = letter;
    return { key, value, headers: { ...headers } };
  });
  const producer = await connectedProducer(kafka);
  for (let copy = 0; copy < copies; copy++)
    await producer.send({ topic: `${ingestEvents.name}.dead-letters`, messages });
  await producer.disconnect();
  return { stage, workspace };
}
