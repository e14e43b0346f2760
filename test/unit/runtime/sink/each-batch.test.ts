import assert from 'node:assert/strict';
import type { AssignedBatch } from '../../../../runtime/kafka/consume/assigned-partition.js';
import type { Assignments } from '../../../../runtime/sink/assignments.js';
import { eachBatch } from '../../../../runtime/sink/each-batch.js';
import { PartitionRests } from '../../../../runtime/sink/partition-rests.js';
import type { SinkEnvironment } from '../../../../runtime/sink/environment.js';
import { logRecord } from '../../../support/log-records.js';

describe('the batch of a sink', () => {
  it('lets its partition rest if it brought many records, up to the end of the log', async () => {
    assert.equal(await pausesAfter({ records: 1_000, behind: 0 }), 1);
  });
  it('continues at once if more records are known to be there', async () => {
    assert.equal(await pausesAfter({ records: 1_000, behind: 1 }), 0);
  });
  it('continues at once after a few records', async () => {
    assert.equal(await pausesAfter({ records: 3, behind: 0 }), 0);
  });
});

/** How often a batch of `records` pauses its partition, which has `behind` more records. */
async function pausesAfter({ records, behind }: { records: number; behind: number }): Promise<number> {
  let pauses = 0;
  const batch: AssignedBatch = {
    topic: 'topic',
    partition: 0,
    fetchedFrom: 0,
    end: records,
    logEnd: records + behind,
    records: Array.from({ length: records }, (_, offset) => logRecord(offset, '')),
    isRunning: () => true,
    isStale: () => false,
    heartbeat: () => Promise.resolve(),
    resolve: () => undefined,
    commit: () => Promise.resolve(),
    pause: () => {
      pauses += 1;
      return () => undefined;
    },
  };
  const assignment = { check: () => undefined, ended: new AbortController().signal };
  const assignments = {
    assignmentOf: () => assignment,
    of: () => Promise.resolve({ position: 0, take: () => Promise.resolve() }),
  } as unknown as Assignments;
  const environment = { progressed: () => undefined } as unknown as SinkEnvironment;
  await eachBatch(batch, environment, assignments, {
    fatal: (error) => assert.fail(error),
    seek: () => assert.fail('sought'),
    logStart: () => Promise.resolve(0),
    rests: new PartitionRests({ busyMs: 2_000, fetchMs: 1_000 }, { now: () => 0, after: () => undefined }),
  });
  return pauses;
}
