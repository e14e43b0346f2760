import assert from 'node:assert/strict';
import { encodeEntry, encodeReference } from '../../../../../http-edge/status-view/entry.js';
import { ResultsInLog } from '../../../../../http-edge/status-view/sharded/results-in-log.js';
import { silentLogger } from '../../../../../runtime/logging.js';
import { createMetrics } from '../../../../../runtime/metrics.js';
import type { TaskStatus } from '../../../../../schemas/generated/task-status.js';
import { jsonCodec } from '../../../../support/json-codec.js';

const done: TaskStatus = {
  ...{ task_id: 'a', workspace: 'acme', metric: 'text_metrics', status: 'processed', message: 'done' },
  ...{ result: '{"prompt":"größe ✓"}', error: null, request_digest: 'sha' },
  ...{ accepted_at: 1_000, updated_at: 2_000 },
};
const partition = 3;
const offset = 7;

/** Reads the result from a log with this value at the offset. */
async function entryOutOf(value: Buffer | null | undefined): Promise<Buffer | undefined> {
  const record = { offset, timestamp: 0, key: Buffer.from('a'), headers: {} };
  const read = (ofPartition: number, at: number) => {
    assert.deepEqual([ofPartition, at], [partition, offset]);
    return Promise.resolve(value === undefined ? undefined : { ...record, value });
  };
  const options = {
    records: { read },
    codec: jsonCodec<TaskStatus>(),
    metrics: createMetrics(),
    logger: silentLogger,
  };
  return new ResultsInLog(options).entryOf(partition, 'a', encodeReference(done, offset));
}

const said = (status: TaskStatus): Buffer => Buffer.from(JSON.stringify(status));

describe('a result that is read from its record', () => {
  it('is byte for byte what an edge that keeps results stores', async () => {
    assert.deepEqual(await entryOutOf(said(done)), encodeEntry(done));
  });

  it('is absent if the record is gone, is a tombstone, or is of another task, state or time', async () => {
    for (const value of [
      undefined,
      null,
      Buffer.from('no status'),
      said({ ...done, task_id: 'b' }),
      said({ ...done, status: 'processing', result: null }),
      said({ ...done, updated_at: 3_000 }),
    ])
      assert.equal(await entryOutOf(value), undefined, value?.toString());
  });

  it("is absent if Kafka can't be asked", async () => {
    const read = () => Promise.reject(new Error('no broker'));
    const options = {
      records: { read },
      codec: jsonCodec<TaskStatus>(),
      metrics: createMetrics(),
      logger: silentLogger,
    };
    const reference = encodeReference(done, offset);
    assert.equal(await new ResultsInLog(options).entryOf(partition, 'a', reference), undefined);
  });
});
