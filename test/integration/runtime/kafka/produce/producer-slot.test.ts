import assert from 'node:assert/strict';
import type { Kafka } from 'kafkajs';
import { openProducerSlot } from '../../../../../runtime/kafka/produce/producer-slot.js';
import { createKafka } from '../../../../../runtime/kafka/client/client.js';
import type { EncodedRecord } from '../../../../../runtime/kafka/produce/appender.js';
import { unresponsiveConnections } from '../../../../support/unresponsive-connection.js';
import { accessTo, plainKafka } from '../../../../support/kafka.js';
import { theStack } from '../../../../support/stack.js';
import { freshTopic, recordsOf } from '../../../../support/topic-of-test.js';
import { until } from '../../../../support/until.js';

const batch = (topic: string, value: string): EncodedRecord[] => [
  { topic, key: null, value: Buffer.from(value), partition: 0 },
];
const valuesOf = async (kafka: Kafka, topic: string): Promise<string[]> =>
  (await recordsOf(kafka, topic)).map(({ value }) => String(value));

describe('a send whose outcome is unknown', () => {
  let brokers: string[];
  let kafka: Kafka;

  before(async () => {
    ({ brokers } = await theStack());
    kafka = plainKafka(brokers);
  });

  it('makes a producer of kafkajs lose the next record, although it is confirmed', async () => {
    const topic = await freshTopic(kafka, 'reused-producer');
    const connections = unresponsiveConnections();
    const deafKafka = createKafka({ ...accessTo(brokers), ...connections });
    const producer = deafKafka.producer({ idempotent: true, retry: { retries: 1, initialRetryTime: 5 } });
    await producer.connect();
    const send = (value: string) => producer.send({ topic, messages: batch(topic, value) });
    await send('first');

    connections.deaf = true;
    await assert.rejects(send('unheard'));
    connections.deaf = false;
    await send('confirmed and lost');

    assert.deepEqual(await valuesOf(kafka, topic), ['first', 'unheard']);
    await producer.disconnect();
  });

  it('costs a slot its producer, and no later record', async () => {
    const topic = await freshTopic(kafka, 'slot');
    const connections = unresponsiveConnections();
    const access = { ...accessTo(brokers), ...connections };
    const slot = await openProducerSlot({
      access,
      onReady: () => undefined,
      retryForMs: 500,
    });
    await slot.send(batch(topic, 'first'));

    connections.deaf = true;
    await assert.rejects(slot.send(batch(topic, 'unheard')));
    connections.deaf = false;
    await until('the slot has a new producer', () => slot.ready);
    await slot.send(batch(topic, 'confirmed'));

    assert.deepEqual(await valuesOf(kafka, topic), ['first', 'unheard', 'confirmed']);
    await slot.close();
  });

  it('is sent again under its own sequence numbers until the slot times out, and is stored once', async () => {
    const topic = await freshTopic(kafka, 'patient-slot');
    const connections = unresponsiveConnections();
    const access = { ...accessTo(brokers), ...connections };
    const slot = await openProducerSlot({ access, onReady: () => undefined });
    await slot.send(batch(topic, 'first'));

    connections.deaf = true;
    const sent = slot.send(batch(topic, 'unheard at first'));
    await until('its answer was lost', () => connections.lost > 0);
    connections.deaf = false;
    await sent;
    await slot.send(batch(topic, 'next'));

    assert.deepEqual(await valuesOf(kafka, topic), ['first', 'unheard at first', 'next']);
    await slot.close();
  });
});
