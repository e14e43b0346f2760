import assert from 'node:assert/strict';
import type { EncodedRecord } from '../../../../../runtime/kafka/produce/appender.js';
import {
  type Batch,
  BatchQueue,
  type PendingAppend,
} from '../../../../../runtime/kafka/produce/batch-queue.js';

describe('the records that wait to be sent', () => {
  const owner = {} as PendingAppend;
  const record = (key: string): EncodedRecord => ({ topic: 'of-test', key, value: null });
  const keysOf = (batch: Batch | undefined) => batch?.records.map(({ key }) => key);
  const held = (queue: BatchQueue, key: string, bytes = 100): void => {
    queue.add(owner, record(key), bytes);
    queue.endWaiting();
    const batch = queue.takeDue();
    if (batch !== undefined) queue.hold(batch, () => true);
  };

  it('go in order in one request once a missing leader is back, with those added in that time', () => {
    const queue = new BatchQueue(1_000);
    for (const key of ['first', 'second', 'third']) held(queue, key);
    queue.add(owner, record('fourth'), 100);
    assert.equal(queue.takeDue(), undefined);
    queue.releaseHeld();
    assert.deepEqual(keysOf(queue.takeDue()), ['first', 'second', 'third', 'fourth']);
    assert.ok(queue.isEmpty);
  });

  it('go in several requests if one would be too large', () => {
    const queue = new BatchQueue(1_000);
    for (const key of ['first', 'second', 'third']) held(queue, key, 300 * 1024);
    queue.releaseHeld();
    assert.deepEqual(keysOf(queue.takeDue()), ['first', 'second']);
    assert.deepEqual(keysOf(queue.takeDue()), ['third']);
    assert.equal(queue.takeDue(), undefined);
  });
});
