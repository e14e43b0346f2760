import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Partitioners } from 'kafkajs';
import { partitionOf } from '../../../../../runtime/kafka/protocol/produce-request.js';

describe('the partition of a key', () => {
  const partitions = 12;
  const ofKafkajs = Partitioners.DefaultPartitioner();
  const partitionMetadata = Array.from({ length: partitions }, (_, partitionId) => ({
    partitionId,
    leader: 1,
    partitionErrorCode: 0,
    replicas: [1],
    isr: [1],
  }));

  it('is the one to which the default partitioner sends it', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        const key = Buffer.from(bytes);
        const message = { key, value: null };
        assert.equal(partitionOf(key, partitions), ofKafkajs({ topic: 'any', partitionMetadata, message }));
      }),
      { numRuns: 500 },
    );
  });
});
