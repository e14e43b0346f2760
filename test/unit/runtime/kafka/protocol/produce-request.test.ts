import assert from 'node:assert/strict';
import fc from 'fast-check';
import kafkajsRequest from 'kafkajs/src/protocol/requests/produce/v7/request.js';
import {
  decodeProduced,
  encodeProduce,
  type OutgoingPart,
  type ProducerIdentity,
} from '../../../../../runtime/kafka/protocol/produce-request.js';
import { decodeBatches } from '../../../../../runtime/kafka/protocol/record-batches.js';

/** Includes long values, whose lengths take two and three bytes. */
const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 70 }).map((some) => Buffer.from(some)),
  fc.integer({ min: 60, max: 9_000 }).map((length) => Buffer.alloc(length, length)),
);
const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 40 }), fc.string({ maxLength: 200 }));
const field = fc.oneof(bytes, text);
const record = fc.record(
  { key: fc.option(field), value: fc.option(field), headers: fc.dictionary(text, field, { maxKeys: 4 }) },
  { requiredKeys: ['value'] },
);
const topics = fc.array(
  fc.record({
    topic: text,
    partitions: fc.array(
      fc.record({
        partition: fc.nat(),
        firstSequence: fc.nat(),
        messages: fc.array(record, { minLength: 1, maxLength: 70 }),
      }),
      { minLength: 1, maxLength: 3 },
    ),
  }),
  { maxLength: 3 },
);
const identity: fc.Arbitrary<ProducerIdentity> = fc.record(
  {
    producerId: fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }),
    producerEpoch: fc.nat(0x7fff),
    transactionalId: text.filter((id) => id !== ''),
  },
  { requiredKeys: ['producerId', 'producerEpoch'] },
);

const now = 1_795_245_546_557;

/** Sets the clock, which kafkajs reads by itself. */
async function atThatTime<Result>(work: () => Promise<Result>): Promise<Result> {
  const clock = Date.now;
  Date.now = () => now;
  try {
    return await work();
  } finally {
    Date.now = clock;
  }
}

describe('a produce request', () => {
  it('has the bytes that kafkajs gives it', async () => {
    await fc.assert(
      fc.asyncProperty(topics, identity, fc.nat(), async (topicData, by, timeout) => {
        const unique = [...new Map(topicData.map((one) => [one.topic, one])).values()];
        const parts = unique.flatMap(({ topic, partitions }) =>
          partitions.map(({ messages, ...rest }): OutgoingPart => ({ topic, records: messages, ...rest })),
        );
        const options = { acks: -1, compression: 0, timeout, topicData: unique };
        const theirs = kafkajsRequest({ ...options, ...by, producerId: String(by.producerId) });
        const { buffer } = await atThatTime(() => theirs.encode());
        assert.ok(encodeProduce(parts, by, timeout, now).equals(buffer));
      }),
      { numRuns: 40 },
    );
  });

  it('is read as it was meant', async () => {
    const records = [
      { key: 'one', value: Buffer.from('first') },
      { key: Buffer.from('two'), value: null, headers: { why: 'gone' } },
      { value: 'third' },
    ];
    const by = { transactionalId: 'id', producerId: 77n, producerEpoch: 2 };
    const buffer = encodeProduce([{ topic: 't', partition: 3, firstSequence: 5, records }], by, 1, now);
    const beforeBatch = 2 + 'id'.length + 2 + 4 + 4 + 2 + 't'.length + 4 + 4 + 4;
    const [batch] = await decodeBatches(buffer.subarray(beforeBatch));
    assert.equal(batch?.producerId, 77n);
    assert.equal(batch.transactional, true);
    assert.deepEqual(
      batch.records.map(({ offset, key, value }) => [offset, key?.toString(), value?.toString()]),
      [
        [0, 'one', 'first'],
        [1, 'two', undefined],
        [2, undefined, 'third'],
      ],
    );
    assert.equal(batch.records[0]?.timestamp, now);
  });
});

describe('the answer to a produce request', () => {
  it('names every partition and its error, and how long a quota slows the sender down', () => {
    const partition = (id: number, error: number): Buffer => {
      const bytesOf = Buffer.alloc(4 + 2 + 24, 0xff);
      bytesOf.writeInt32BE(id, 0);
      bytesOf.writeInt16BE(error, 4);
      return bytesOf;
    };
    const topic = (name: string, ...partitions: readonly Buffer[]): Buffer => {
      const head = Buffer.alloc(2 + name.length + 4);
      head.writeInt16BE(name.length, 0);
      head.write(name, 2);
      head.writeInt32BE(partitions.length, 2 + name.length);
      return Buffer.concat([head, ...partitions]);
    };
    const answer = Buffer.concat([
      Buffer.from([0, 0, 0, 2]),
      topic('one', partition(0, 0), partition(7, 6)),
      topic('another', partition(2, 46)),
      Buffer.from([0, 0, 1, 4]),
    ]);
    const { parts, clientSideThrottleTime } = decodeProduced(answer);
    assert.deepEqual(parts, [
      { topic: 'one', partition: 0, error: 0 },
      { topic: 'one', partition: 7, error: 6 },
      { topic: 'another', partition: 2, error: 46 },
    ]);
    assert.equal(clientSideThrottleTime, 260);
  });
});
