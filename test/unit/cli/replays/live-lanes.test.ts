import assert from 'node:assert/strict';
import { lagsOf, liveLanes, whyItWaits } from '../../../../cli/replays/live-lanes.js';
import type { GroupLag } from '../../../../runtime/kafka/consume/group-lag.js';

describe('the live lane that a replay yields to', () => {
  const partition = { partition: 0, process: null, next: 0, records: 5, isUndecided: false, unknown: null };
  const lagging = (members: number): GroupLag => ({
    ...{ groupId: 'telltale.score-metrics', topic: 'scoring.requests' },
    ...{ state: members === 0 ? 'stopped' : 'running', members, appendedLastMinute: 0, unknown: null },
    partitions: [
      { ...partition, seconds: 33.6 },
      { ...partition, seconds: null },
    ],
  });
  const lagOf = async (members: number) => {
    const groups = [lagging(members)];
    const [lag] = await lagsOf(
      { read: () => Promise.resolve({ groups, kept: new Map() }) },
      liveLanes.filter(({ groupId }) => groupId === 'telltale.score-metrics'),
    );
    assert.ok(lag);
    return lag;
  };

  it('is named with its lag, and with whether any process of its group runs', async () => {
    const lag = await lagOf(2);
    assert.deepEqual(lag, {
      ...{ lane: 'telltale.score-metrics', isStopped: false },
      ...{ seconds: 33.6, mostSeconds: 1 },
    });
    assert.match(whyItWaits(lag), /the first unread record of telltale.score-metrics is 34 s old\. Until/);
    assert.match(whyItWaits(await lagOf(0)), /34 s old, and no process of that group runs\./);
  });
});
