import assert from 'node:assert/strict';
import {
  defaultWatermarks,
  freeBytesWanted,
} from '../../../../../processors/cluster-health/rules/disk-limits.js';
import { evaluate } from '../../../../../processors/cluster-health/rules/score.js';
import {
  known,
  type ClusterState,
  type Limit,
  type NodeSample,
  type Situation,
} from '../../../../../processors/cluster-health/rules/situation.js';
import { aDisk, healthyCluster, nodeWith, quietHistory, situation } from '../../../../support/situations.js';

const costs = (but: Partial<Situation>): Record<string, number> =>
  Object.fromEntries(evaluate(situation(but)).deductions.map(({ code, points }) => [code, points]));
const clusterWith = (but: Partial<ClusterState>) => known({ ...healthyCluster, ...but });
const nodes = (...samples: readonly Partial<NodeSample>[]) => known([nodeWith('node-1', ...samples)]);
const times = <Value>(count: number, value: Value): Value[] => Array.from({ length: count }, () => value);
const yellow = { status: 'yellow', unassignedShards: 4 } as const;

describe('availability', () => {
  it('takes 2 points from a yellow cluster with a single data node, and says what to do', () => {
    const health = evaluate(
      situation({
        cluster: clusterWith({ ...yellow, dataNodes: 1 }),
        history: { ...quietHistory, mostDataNodes: 1, dataNodesSinceGreen: 1 },
        shards: known({ unassignedByReason: { INDEX_CREATED: 3, CLUSTER_RECOVERED: 1 } }),
      }),
    );
    assert.equal(health.score, 98);
    assert.match(
      health.deductions[0]?.reason ?? '',
      /4 replica shards are unassigned on the only data node\./,
    );
  });

  it('takes 25 from a yellow cluster with several', () => {
    assert.deepEqual(costs({ cluster: clusterWith(yellow) }), { replicas_unassigned: 25 });
  });

  it('takes 10 while no shard is unassigned and some are being recovered', () => {
    const cluster = clusterWith({ status: 'yellow', initializingShards: 2 });
    assert.deepEqual(costs({ cluster }), { replicas_recovering: 10 });
  });

  it('says that data is unavailable if a primary is unassigned, and only then', () => {
    const red = evaluate(
      situation({
        cluster: clusterWith({ status: 'red', unassignedShards: 2, unassignedPrimaries: 2 }),
      }),
    );
    assert.equal(red.score, 49);
    assert.match(red.deductions[0]?.reason ?? '', /data is unavailable/);
    const recovering = evaluate(
      situation({ cluster: clusterWith({ status: 'red', initializingShards: 2 }) }),
    );
    assert.equal(recovering.score, 70);
    assert.doesNotMatch(recovering.deductions[0]?.reason ?? '', /unavailable/);
  });

  it('treats unassigned shards as replicas only if they are known not to be primaries', () => {
    const health = evaluate(
      situation({ cluster: clusterWith({ status: 'red', unassignedShards: 3, unassignedPrimaries: null }) }),
    );
    assert.deepEqual(
      health.deductions.map(({ code }) => code),
      ['red'],
    );
    assert.match(health.notMeasured[0]?.reason ?? '', /which of the 3 unassigned shards are primaries/);
  });

  it('lists shards as not measured if the cluster gives no status', () => {
    const nothing = { status: null, unassignedShards: null, unassignedPrimaries: null };
    const { deductions, notMeasured } = evaluate(situation({ cluster: clusterWith(nothing) }));
    assert.deepEqual(deductions, []);
    assert.deepEqual(
      notMeasured.map(({ what }) => what),
      ['primary shards', 'replica shards', 'score'],
    );
  });

  it('bounds what a category costs, and says what the deduction would cost alone', () => {
    const { score, deductions } = evaluate(
      situation({
        cluster: clusterWith({ ...yellow, unassignedPrimaries: 2, status: 'red', noMaster: true }),
      }),
    );
    assert.equal(score, 40);
    assert.deepEqual(
      deductions.map(({ points, pointsAlone }) => [points, pointsAlone]),
      [
        [60, 60],
        [0, 51],
        [0, 25],
      ],
    );
  });
});

describe('disk', () => {
  const gib = 1_073_741_824;
  const limit = (watermark: Limit['watermark'], maxHeadroomBytes: number | null = null): Limit => ({
    text: 'as set',
    watermark,
    maxHeadroomBytes,
  });
  const none = limit({ usedRatio: 1 });

  it('reads a watermark in every form', () => {
    assert.equal(Math.round(freeBytesWanted(limit({ usedRatio: 0.85 }), 1_000)), 150);
    assert.equal(freeBytesWanted(limit({ freeBytes: 50 * gib }), 1_000), 50 * gib);
    assert.equal(freeBytesWanted(limit({ usedRatio: 0.85 }, 200 * gib), 10_000 * gib), 200 * gib);
    assert.equal(Math.round(freeBytesWanted(limit({ usedRatio: 0.85 }, 200 * gib), 1_000 * gib) / gib), 150);
  });

  it('evaluates by the watermarks of the cluster, not by a fixed share', () => {
    const watermarks = {
      assumed: null,
      enabled: true,
      floodStageOnly: false,
      low: limit({ freeBytes: 400 }),
      high: limit({ freeBytes: 200 }),
      floodStage: limit({ freeBytes: 100 }),
      floodStageFrozen: none,
    };
    assert.deepEqual(costs({ watermarks, disks: known([aDisk(0.7, 1_000)]) }), { disk_low: 7 });
    assert.deepEqual(costs({ watermarks, disks: known([aDisk(0.85, 1_000)]) }), { disk_high: 15 });
    assert.deepEqual(costs({ watermarks, disks: known([aDisk(0.95, 1_000)]) }), { disk_flood_stage: 25 });
    assert.deepEqual(costs({ watermarks, disks: known([aDisk(0.85, 1e6)]) }), {});
  });

  it('uses the defaults if the watermarks could not be read, and says so', () => {
    const watermarks = defaultWatermarks(true, 'the privilege manage is missing');
    const { deductions, notMeasured } = evaluate(
      situation({ watermarks, disks: known([aDisk(0.91, 1e11)]) }),
    );
    assert.equal(deductions[0]?.code, 'disk_high');
    assert.match(deductions[0].reason, /90%.*assumed/);
    assert.match(notMeasured[0]?.reason ?? '', /privilege manage is missing: Elasticsearch's defaults/);
  });

  it('deducts nothing if the cluster does not check its disks', () => {
    const watermarks = { ...defaultWatermarks(true, ''), assumed: null, enabled: false };
    const health = evaluate(situation({ watermarks, disks: known([aDisk(0.99)]) }));
    assert.equal(health.score, 100);
    assert.match(health.notMeasured[0]?.reason ?? '', /threshold_enabled/);
  });

  it('evaluates the single data node of 7.x by the flood stage, past which its indices are read-only', () => {
    const watermarks = { ...defaultWatermarks(false, ''), assumed: null, floodStageOnly: true };
    const high = evaluate(situation({ watermarks, disks: known([aDisk(0.93)]) }));
    assert.equal(high.score, 100);
    assert.match(high.notMeasured[0]?.reason ?? '', /enable_for_single_data_node/);
    assert.deepEqual(costs({ watermarks, disks: known([aDisk(0.97)]) }), { disk_flood_stage: 25 });
  });

  it('evaluates a disk that holds only searchable snapshots by the frozen flood stage alone', () => {
    const frozen = (used: number) => ({ disks: known([{ ...aDisk(used, 1e9), frozenOnly: true }]) });
    assert.deepEqual(costs(frozen(0.93)), {});
    assert.deepEqual(costs(frozen(0.99)), { disk_flood_stage: 25 });
  });
});

describe('memory', () => {
  it('never deducts for a single sample of a full heap', () => {
    assert.deepEqual(costs({ nodes: nodes({}, {}, {}, {}, { heapPercent: 99 }) }), {});
    assert.deepEqual(costs({ nodes: nodes({ heapPercent: 99 }) }), {});
    assert.deepEqual(costs({ nodes: nodes(...times(2, { heapPercent: 99 })) }), {});
  });

  it('deducts for a heap that stays full', () => {
    assert.deepEqual(costs({ nodes: nodes(...times(3, { heapPercent: 86 })) }), { heap_high: 8 });
    assert.deepEqual(costs({ nodes: nodes(...times(5, { heapPercent: 97 })) }), { heap_critical: 15 });
    assert.deepEqual(costs({ nodes: nodes(...times(4, { heapPercent: 97 }), { heapPercent: 50 }) }), {});
  });

  it('ranks a trip of any breaker above one near its limit', () => {
    const near = [{ breaker: 'fielddata', utilisation: 0.99, trips: 0 }];
    const tripped = [{ breaker: 'fielddata', utilisation: 0.2, trips: 1 }];
    assert.deepEqual(costs({ nodes: nodes(...times(5, { breakers: near })) }), {
      circuit_breaker_near_limit: 4,
    });
    assert.deepEqual(costs({ nodes: nodes({}, { breakers: tripped }, {}) }), { circuit_breaker_tripped: 10 });
    const both = [{ breaker: 'fielddata', utilisation: 0.99, trips: 1 }];
    assert.deepEqual(costs({ nodes: nodes(...times(5, { breakers: both })) }), {
      circuit_breaker_tripped: 10,
    });
  });

  it("mentions a breaker near its limit along with another's trip, and only the trip costs points", () => {
    const breakers = [
      { breaker: 'fielddata', utilisation: 0.99, trips: 0 },
      { breaker: 'request', utilisation: 0.2, trips: 1 },
    ];
    const { deductions } = evaluate(situation({ nodes: nodes(...times(5, { breakers })) }));
    assert.deepEqual(
      deductions.map(({ points }) => points),
      [10],
    );
    assert.match(
      deductions[0]?.reason ?? '',
      /request on node-1 \(5 times\)\. .*fielddata on node-1 \(99%\)\.$/,
    );
  });
});

describe('thread pools', () => {
  const pool = (but: object) => ({
    pools: [{ pool: 'search', busy: true, queueShare: 0.9, rejections: 0, ...but }],
  });

  it('rank a rejection above a pool that is busy', () => {
    assert.deepEqual(costs({ nodes: nodes(...times(5, pool({}))) }), { thread_pool_queue_full: 5 });
    assert.deepEqual(costs({ nodes: nodes(...times(5, pool({ queueShare: 0.1 }))) }), {
      thread_pool_busy: 3,
    });
    assert.deepEqual(costs({ nodes: nodes(...times(5, pool({ rejections: 1 }))) }), {
      thread_pool_rejections: 12,
    });
    assert.deepEqual(costs({ nodes: nodes(pool({ pool: 'management', rejections: 1 })) }), {
      thread_pool_rejections: 6,
    });
  });

  it("are mentioned as busy along with another's rejections, and only those cost points", () => {
    const pools = [
      { pool: 'search', busy: true, queueShare: 0.9, rejections: 0 },
      { pool: 'write', busy: true, queueShare: 0.9, rejections: 1 },
    ];
    const { deductions } = evaluate(situation({ nodes: nodes(...times(5, { pools })) }));
    assert.deepEqual(
      deductions.map(({ points }) => points),
      [12],
    );
    assert.match(
      deductions[0]?.reason ?? '',
      /write on node-1 \(5\)\. .*search on node-1 \(queue 90% full\)\.$/,
    );
  });

  it('are not busy because of a single sample', () => {
    assert.deepEqual(costs({ nodes: nodes({}, {}, pool({})) }), {});
  });

  it('are not busy if they queue by design, as one merge waits for the other', () => {
    for (const name of ['force_merge', 'snapshot'])
      assert.deepEqual(costs({ nodes: nodes(...times(5, pool({ pool: name }))) }), {});
  });
});
