import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SinkEnvironment, Assignment } from '../../../../runtime/sink/environment.js';
import { PartitionLost } from '../../../../runtime/sink/environment.js';
import { recordOf } from '../../../../runtime/sink/record-of.js';
import { logRecord } from '../../../support/log-records.js';

describe('a record whose schema has to be fetched', () => {
  it("ends only its own partition's work if the fetch fails after the partition was lost", async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown): void => void unhandled.push(reason);
    process.on('unhandledRejection', note);
    const lost: Assignment = {
      ended: AbortSignal.abort(),
      check() {
        throw new PartitionLost();
      },
    };
    const environment = {
      schemas: { of: () => Promise.reject(new Error('the registry is away')) },
      progressed: () => undefined,
    } as unknown as SinkEnvironment;
    await assert.rejects(async () => recordOf(environment, logRecord(7, 'x'), lost), PartitionLost);
    await nextTurn();
    process.off('unhandledRejection', note);
    assert.deepEqual(unhandled, []);
  });
});
