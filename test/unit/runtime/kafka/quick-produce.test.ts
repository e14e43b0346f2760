import assert from 'node:assert/strict';
import fc from 'fast-check';
import produce, { type ProduceOptions } from 'kafkajs/src/protocol/requests/produce/index.js';
import kafkajsRequest from 'kafkajs/src/protocol/requests/produce/v7/request.js';
import { encodedProduce, produceQuickly } from '../../../../runtime/kafka/quick-produce.js';
import { decodeBatches } from '../../../../runtime/kafka/record-batches.js';

/** Long ones too: their lengths take two and three bytes. */
const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 70 }).map((some) => Buffer.from(some)),
  fc.integer({ min: 60, max: 9_000 }).map((length) => Buffer.alloc(length, length)),
);
const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 40 }), fc.string({ maxLength: 200 }));
const field = fc.oneof(bytes, text);
const headers = fc.dictionary(text, field, { maxKeys: 4 });

const plainMessage = fc.record(
  { key: fc.option(field), value: fc.option(field), headers },
  { requiredKeys: ['value'] },
);
const anyMessage = fc.oneof(
  { weight: 5, arbitrary: plainMessage },
  fc.record({ value: field, timestamp: fc.constantFrom('1795245546557', '1795245546559') }),
  fc.record({ value: field, headers: fc.dictionary(text, fc.array(field, { maxLength: 3 })) }),
);

const requestOf = (message: fc.Arbitrary<ProduceOptions['topicData'][0]['partitions'][0]['messages'][0]>) =>
  fc
    .record({
      acks: fc.constantFrom(-1, 0, 1),
      timeout: fc.nat(),
      transactionalId: fc.option(text),
      producerId: fc.oneof(
        fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }).map(String),
        fc.constantFrom(-1, undefined),
      ),
      producerEpoch: fc.option(fc.nat(0x7fff), { nil: undefined }),
      topicData: fc.array(
        fc.record({
          topic: text,
          partitions: fc.array(
            fc.record(
              {
                partition: fc.nat(),
                firstSequence: fc.nat(),
                messages: fc.array(message, { minLength: 1, maxLength: 70 }),
              },
              { requiredKeys: ['partition', 'messages'] },
            ),
            { maxLength: 3 },
          ),
        }),
        { maxLength: 3 },
      ),
    })
    // What kafkajs's broker passes on where nothing is said.
    .map((options) => ({ ...options, compression: 0 }) as ProduceOptions);

const now = 1_795_245_546_557;

/** kafkajs asks the clock itself. */
async function atThatTime<Result>(work: () => Promise<Result>): Promise<Result> {
  const clock = Date.now;
  Date.now = () => now;
  try {
    return await work();
  } finally {
    Date.now = clock;
  }
}

const byKafkajs = async (options: ProduceOptions): Promise<Buffer> =>
  (await atThatTime(() => kafkajsRequest(options).encode())).buffer;

describe('a produce request', () => {
  it('has the bytes that kafkajs gives it', async () => {
    await fc.assert(
      fc.asyncProperty(requestOf(plainMessage), async (options) => {
        assert.ok(encodedProduce(options, now).buffer.equals(await byKafkajs(options)));
      }),
      { numRuns: 40 },
    );
  });

  it('has them too where a record has what only kafkajs encodes', async () => {
    produceQuickly();
    const installed = produce.protocol({ version: 7 });
    await fc.assert(
      fc.asyncProperty(requestOf(anyMessage), async (options) => {
        const { buffer } = await atThatTime(() => installed(options).request.encode());
        assert.ok(buffer.equals(await byKafkajs(options)));
      }),
      { numRuns: 40 },
    );
  });

  it('leaves what is to be compressed to kafkajs', async () => {
    produceQuickly();
    const messages = [{ value: Buffer.from('again and '.repeat(100)) }];
    const options = {
      acks: -1,
      timeout: 1,
      topicData: [{ topic: 't', partitions: [{ partition: 0, messages }] }],
    };
    const sizes = await Promise.all(
      [0, 1].map(async (compression) => {
        const { request } = produce.protocol({ version: 7 })({ ...options, compression });
        return (await request.encode()).buffer.length;
      }),
    );
    assert.ok((sizes[1] ?? 0) < (sizes[0] ?? 0) / 4, `${sizes.join(' and ')} bytes`);
  });

  it('is read as it was meant', async () => {
    const messages = [
      { key: 'one', value: Buffer.from('first') },
      { key: Buffer.from('two'), value: null, headers: { why: 'gone' } },
      { value: 'third' },
    ];
    const topicData = [{ topic: 't', partitions: [{ partition: 3, firstSequence: 5, messages }] }];
    const options = {
      acks: -1,
      timeout: 1,
      transactionalId: 'id',
      producerId: '77',
      producerEpoch: 2,
      topicData,
    };
    const { buffer } = encodedProduce(options, now);
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
