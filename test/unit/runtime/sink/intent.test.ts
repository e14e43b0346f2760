import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  decodeMetadata,
  encodeMetadata,
  mostSkipped,
  tokenOf,
  type CommitMetadata,
} from '../../../../runtime/sink/intent.js';

describe('the metadata of a commit', () => {
  const offset = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });

  it('is decoded as it was encoded', () => {
    const intent = fc.record(
      { hi: offset, skip: fc.array(offset, { maxLength: 5 }) },
      { noNullPrototype: true },
    );
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: -1 }), fc.option(intent), (run, previous, given) => {
        const metadata: CommitMetadata = { run, previous, ...(given === null ? {} : { intent: given }) };
        assert.deepEqual(decodeMetadata(encodeMetadata(metadata)), metadata);
      }),
    );
  });

  it("fits a broker's limit, even with the largest number of skipped records", () => {
    const skip = Array.from({ length: mostSkipped }, (_, index) => Number.MAX_SAFE_INTEGER - index);
    const metadata = { run: 'x'.repeat(36), previous: skip[0] ?? 0, intent: { hi: skip[0] ?? 0, skip } };
    assert.ok(Buffer.byteLength(encodeMetadata(metadata)) <= 4_096);
  });

  it('of another writer is ignored', () => {
    for (const foreign of [null, undefined, '', 'event-7', '{', '{"v":2}', '[]', '{"v":1}']) {
      assert.equal(decodeMetadata(foreign), undefined);
    }
  });

  it('gives the same range the same token, and every other range another one', () => {
    const at = { topic: 't', partition: 3 };
    const token = tokenOf(at, 'r', 5, { hi: 9, skip: [] });
    assert.equal(tokenOf(at, 'r', 5, { hi: 9, skip: [] }), token);
    const others = [
      tokenOf(at, 'r', 5, { hi: 9, skip: [7] }),
      tokenOf(at, 'r', 5, { hi: 8, skip: [] }),
      tokenOf(at, 'r', 4, { hi: 9, skip: [] }),
      tokenOf(at, 'q', 5, { hi: 9, skip: [] }),
      tokenOf({ ...at, partition: 4 }, 'r', 5, { hi: 9, skip: [] }),
    ];
    assert.equal(new Set([token, ...others]).size, 6);
  });
});
