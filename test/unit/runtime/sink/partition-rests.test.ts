import assert from 'node:assert/strict';
import { PartitionRests } from '../../../../runtime/sink/partition-rests.js';

describe('the rest of a partition', () => {
  it('leaves room for two fetches as long as none has been seen', () => {
    assert.equal(restsOf().restAfter(1_000), 1_000);
  });
  it('is the longest wait minus the duration of the last fetch', () => {
    const rests = restsOf();
    rests.restAfter(1_000);
    rests.fetchedAfter(300);
    assert.equal(rests.restAfter(1_000), 1_700);
  });
  it('does not count time without any record as a fetch', () => {
    const rests = restsOf();
    rests.restAfter(1_000);
    rests.fetchedAfter(60_000);
    assert.equal(rests.restAfter(1_000), 1_000);
  });
  it('is shorter the fewer records there were', () => {
    assert.equal(restsOf().restAfter(40), 200);
    assert.equal(restsOf().restAfter(3), 0);
  });
});

/** Rests of partition 0, on a simulated clock. */
function restsOf() {
  let now = 0;
  let action: (() => void) | undefined;
  let restMs = 0;
  const rests = new PartitionRests(
    { busyMs: 2_000, fetchMs: 1_000 },
    {
      now: () => now,
      after: (ms, act) => {
        restMs = ms;
        action = act;
      },
    },
  );
  return {
    /** Milliseconds for which the partition rests after it has returned this many records. */
    restAfter(records: number): number {
      restMs = 0;
      rests.begin({ partition: 0, isRunning: () => true, pause: () => () => undefined }, records);
      now += restMs;
      action?.();
      return restMs;
    },
    fetchedAfter(ms: number): void {
      now += ms;
      rests.fetched(0);
    },
  };
}
