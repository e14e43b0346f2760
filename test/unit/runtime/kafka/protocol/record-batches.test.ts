import assert from 'node:assert/strict';
import { OpenTransactions, type RecordBatch } from '../../../../../runtime/kafka/protocol/record-batches.js';

function data(baseOffset: number, count: number, producer?: number): RecordBatch {
  const records = Array.from({ length: count }, (_, index) => ({
    offset: baseOffset + index,
    timestamp: 0,
    key: null,
    value: null,
    headers: {},
  }));
  return {
    baseOffset,
    nextOffset: baseOffset + count,
    maxTimestamp: 0,
    producerId: BigInt(producer ?? -1),
    transactional: producer !== undefined,
    control: undefined,
    records,
  };
}

function marker(offset: number, producer: number, control: 'commit' | 'abort'): RecordBatch {
  return { ...data(offset, 0, producer), nextOffset: offset + 1, control };
}

function offsets(batches: readonly RecordBatch[], from = 0): number[] {
  const transactions = new OpenTransactions();
  return batches.flatMap((batch) => transactions.settle(batch, from).map(({ offset }) => offset));
}

describe('open transactions', () => {
  it('let records written outside of a transaction pass at once', () => {
    assert.deepEqual(offsets([data(0, 1, 7), data(1, 2)]), [1, 2]);
  });

  it('give the records of a transaction with its commit', () => {
    assert.deepEqual(
      offsets([data(0, 2, 7), data(2, 1), data(3, 1, 7), marker(4, 7, 'commit')]),
      [2, 0, 1, 3],
    );
  });

  it("never give the records of an aborted transaction, but give the same producer's next one", () => {
    assert.deepEqual(
      offsets([data(0, 2, 7), marker(2, 7, 'abort'), data(3, 1, 7), marker(4, 7, 'commit')]),
      [3],
    );
  });

  it('keep two producers apart', () => {
    assert.deepEqual(
      offsets([data(0, 1, 7), data(1, 1, 8), marker(2, 8, 'abort'), marker(3, 7, 'commit')]),
      [0],
    );
  });

  it('leave out records before the offset that was asked for', () => {
    assert.deepEqual(offsets([data(0, 4)], 2), [2, 3]);
  });

  it('keep the restart position before the oldest open transaction', () => {
    const transactions = new OpenTransactions();
    transactions.settle(data(0, 1), 0);
    assert.equal(transactions.restartAt(1), 1);
    transactions.settle(data(1, 1, 7), 0);
    transactions.settle(data(2, 1, 8), 0);
    assert.equal(transactions.restartAt(3), 1);
    transactions.settle(marker(3, 7, 'commit'), 0);
    assert.equal(transactions.restartAt(4), 2);
  });
});
