import assert from 'node:assert/strict';
import fc from 'fast-check';
import { inParts } from '../../../../../runtime/kafka/transactions/transactional-producer.js';

const record = (bytes: number) => ({ topic: 't', key: null, value: Buffer.alloc(bytes) });

describe('records of one transaction', () => {
  it('go in their order in parts that one request can take', () => {
    const sizes = fc.array(fc.oneof(fc.nat(2_000), fc.integer({ min: 0, max: 1_500_000 })), {
      maxLength: 30,
    });
    fc.assert(
      fc.property(sizes, (all) => {
        const records = all.map(record);
        const parts = inParts(records);
        assert.deepEqual(parts.flat(), records);
        for (const part of parts) {
          const bytes = part.reduce((sum, { value }) => sum + (value?.length ?? 0), 0);
          assert.ok(part.length === 1 || bytes <= 1024 * 1024);
        }
      }),
      { numRuns: 50 },
    );
  });

  it('are one part where they are few, and none where there are none', () => {
    assert.equal(inParts([record(0), record(10)]).length, 1);
    assert.deepEqual(inParts([]), []);
  });
});
