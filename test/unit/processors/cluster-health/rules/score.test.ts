import assert from 'node:assert/strict';
import fc from 'fast-check';
import { evaluate } from '../../../../../processors/cluster-health/rules/score.js';
import {
  known,
  unknown,
  type ClusterState,
  type NodeSample,
  type Situation,
} from '../../../../../processors/cluster-health/rules/situation.js';
import { aDisk, anySituation, healthyCluster, nodeWith, situation } from '../../../../support/situations.js';

type Problem = (situation: Situation) => Situation;

const scoreOf = (of: Situation): number => evaluate(of).score ?? 100;

const worseCluster =
  (worse: (cluster: ClusterState) => Partial<ClusterState>): Problem =>
  (of) =>
    of.cluster.known ? { ...of, cluster: known({ ...of.cluster.value, ...worse(of.cluster.value) }) } : of;

const worseSamples =
  (worse: (sample: NodeSample) => Partial<NodeSample>): Problem =>
  (of) =>
    of.nodes.known
      ? {
          ...of,
          nodes: known(
            of.nodes.value.map((node) => ({
              ...node,
              samples: node.samples.map((sample) => ({ ...sample, ...worse(sample) })),
            })),
          ),
        }
      : of;

const problems: Readonly<Record<string, Problem>> = {
  'the master is lost': worseCluster(() => ({ noMaster: true })),
  'a primary is lost': worseCluster(({ unassignedShards, unassignedPrimaries }) => ({
    status: 'red',
    unassignedShards: (unassignedShards ?? 0) + 1,
    unassignedPrimaries: (unassignedPrimaries ?? 0) + 1,
  })),
  'a replica is lost': worseCluster(({ status, unassignedShards }) => ({
    status: status === 'green' ? 'yellow' : status,
    unassignedShards: (unassignedShards ?? 0) + 1,
  })),
  'a node leaves': (of) => ({
    ...of,
    history: { ...of.history, nodesLeft: [...of.history.nodesLeft, { name: 'node-10', holdsShards: true }] },
  }),
  'a node falls silent': (of) => ({
    ...of,
    unheard: { ...of.unheard, failed: of.unheard.failed + 1, failedOften: of.unheard.failedOften + 1 },
  }),
  'a node restarts': (of) => ({
    ...of,
    history: { ...of.history, nodesRestarted: [...of.history.nodesRestarted, 'node-10'] },
  }),
  'the master changes': (of) => ({
    ...of,
    history: { ...of.history, masterChanges: of.history.masterChanges + 1 },
  }),
  'disks fill': (of) =>
    of.disks.known
      ? {
          ...of,
          disks: known(
            of.disks.value.map((disk) => ({ ...disk, availableBytes: disk.availableBytes * 0.5 })),
          ),
        }
      : of,
  'another disk is full': (of) =>
    of.disks.known ? { ...of, disks: known([...of.disks.value, { ...aDisk(0.99), node: 'node-10' }]) } : of,
  'heap fills': worseSamples(({ heapPercent }) => ({
    heapPercent: heapPercent === null ? null : Math.min(100, heapPercent + 20),
  })),
  'the old generation is collected longer': worseSamples(({ oldCollectionShare }) => ({
    oldCollectionShare: oldCollectionShare === null ? null : Math.min(1, oldCollectionShare + 0.1),
  })),
  'breakers trip': worseSamples(({ breakers }) => ({
    breakers: breakers.map((each) => ({ ...each, trips: (each.trips ?? 0) + 1 })),
  })),
  'breakers near their limit': worseSamples(({ breakers }) => ({
    breakers: breakers.map((each) => ({ ...each, utilisation: 0.99 })),
  })),
  'pools reject': worseSamples(({ pools }) => ({
    pools: pools.map((each) => ({ ...each, rejections: (each.rejections ?? 0) + 1 })),
  })),
  'pools are busy': worseSamples(({ pools }) => ({
    pools: pools.map((each) => ({ ...each, busy: true, queueShare: 1 })),
  })),
  'the CPU is busy': worseSamples(({ cpuPercent }) => ({ cpuPercent: cpuPercent === null ? null : 100 })),
  'tasks wait longer': (of) =>
    of.pending.known
      ? {
          ...of,
          pending: known({
            tasks: of.pending.value.tasks + 1,
            longestWaitMs: of.pending.value.longestWaitMs + 60_000,
          }),
        }
      : of,
};

describe('the health score', () => {
  it('is 100 without deductions for a healthy cluster', () => {
    assert.deepEqual(evaluate(situation()), { score: 100, deductions: [], floored: false, notMeasured: [] });
  });

  it('is a whole number, as records require, even if a cluster counts in fractions', () => {
    const of = situation({ cluster: known({ ...healthyCluster, status: 'red', unassignedPrimaries: 1.5 }) });
    const { score, deductions } = evaluate(of);
    assert.deepEqual([score, ...deductions.map(({ points }) => points)], [49, 51]);
  });

  it('is absent, with the reason, while it is unknown whether the data is available', () => {
    const { score, notMeasured } = evaluate(situation({ cluster: unknown('not collected yet') }));
    assert.equal(score, null);
    assert.match(
      notMeasured.find(({ what }) => what === 'score')?.reason ?? '',
      /^No score, .* has not been collected yet$/,
    );
    const without = known({ ...healthyCluster, status: null });
    assert.equal(evaluate(situation({ cluster: without })).score, null);
  });

  it('has deductions that add up to what it lacks of 100, unless it is floored', () => {
    fc.assert(
      fc.property(anySituation, (of) => {
        const { score, deductions, floored } = evaluate(of);
        if (score === null) return;
        const sum = deductions.reduce((total, { points }) => total + points, 0);
        if (floored) {
          assert.ok(sum > 100);
          assert.equal(score, 0);
        } else assert.equal(sum, 100 - score);
        for (const { reason, code } of deductions) assert.ok(reason.length > 10 && code.length > 2);
      }),
    );
  });

  for (const [name, problem] of Object.entries(problems)) {
    it(`never rises when ${name}`, () => {
      fc.assert(fc.property(anySituation, (of) => assert.ok(scoreOf(problem(of)) <= scoreOf(of))));
    });
  }

  it('never rises when one more breaker near its limit trips, or one more busy pool rejects', () => {
    const names = ['parent', 'request', 'search', 'management'];
    const refusing = (which: readonly string[]): number => {
      const refusals = (name: string): number => (which.includes(name) ? 1 : 0);
      const sample = {
        breakers: names.map((breaker) => ({ breaker, utilisation: 0.99, trips: refusals(breaker) })),
        pools: names.map((pool) => ({ pool, busy: true, queueShare: 1, rejections: refusals(pool) })),
      };
      return scoreOf(situation({ nodes: known([nodeWith('node-1', sample, sample, sample)]) }));
    };
    fc.assert(
      fc.property(fc.subarray(names), fc.constantFrom(...names), (which, one) => {
        assert.ok(refusing([...which, one]) <= refusing(which));
      }),
    );
  });

  it('never counts what could not be measured, and lists it', () => {
    const missing = { known: false, reason: 'the privilege monitor is missing' } as const;
    fc.assert(
      fc.property(anySituation, fc.constantFrom('cluster', 'disks', 'nodes', 'pending'), (of, what) => {
        const without = evaluate({ ...of, [what]: missing });
        assert.ok((without.score ?? 100) >= scoreOf(of));
        assert.ok(without.notMeasured.some(({ reason }) => reason === missing.reason));
      }),
    );
  });

  it('never applies the single-node rule to a cluster that lost nodes', () => {
    const hadOthers =
      (shards: Situation['shards']): Problem =>
      (of) => ({ ...of, shards, history: { ...of.history, dataNodesSinceGreen: 2 } });
    const lost: readonly Problem[] = [
      (of) => ({ ...of, history: { ...of.history, mostDataNodes: 2 } }),
      (of) => ({ ...of, history: { ...of.history, nodesLeft: [{ name: 'node-2', holdsShards: true }] } }),
      (of) => ({
        ...of,
        history: {
          ...of.history,
          leftAmong: {
            count: 1,
            nodes: [
              { name: 'node-2', holdsShards: false },
              { name: 'node-3', holdsShards: true },
            ],
          },
        },
      }),
      hadOthers(unknown('they are not listed')),
      hadOthers(known({ unassignedByReason: { INDEX_CREATED: 3, CLUSTER_RECOVERED: 1 } })),
      hadOthers(known({ unassignedByReason: { INDEX_CREATED: 3, UNKNOWN: 1 } })),
      (of) => ({ ...of, shards: known({ unassignedByReason: { INDEX_CREATED: 3, NODE_LEFT: 1 } }) }),
      worseCluster(() => ({ delayedShards: 1 })),
    ];
    fc.assert(
      fc.property(anySituation, fc.constantFrom(...lost), (of, lose) => {
        const { deductions } = evaluate(lose({ ...of, cluster: known({ ...yellow(of), dataNodes: 1 }) }));
        const codes = deductions.map(({ code }) => code);
        assert.ok(!codes.includes('yellow_single_node'));
        assert.ok(codes.includes('replicas_unassigned'));
      }),
    );
  });

  it('evaluates a single data node the same whether or not a node without shards has left', () => {
    const left = { name: 'node-2', holdsShards: false };
    fc.assert(
      fc.property(anySituation, (of) => {
        const single = { ...of, cluster: known({ ...yellow(of), dataNodes: 1 }) };
        const replicasOf = (each: Situation): readonly object[] =>
          evaluate(each).deductions.filter(({ code }) => /replicas|single/.test(code));
        const after = { ...of.history, nodesLeft: [...of.history.nodesLeft, left] };
        assert.deepEqual(
          replicasOf({ ...single, history: after }).map((each) => ({ ...each, points: 0 })),
          replicasOf(single).map((each) => ({ ...each, points: 0 })),
        );
      }),
    );
  });

  it('sees neither a trip nor a rejection in a restart, whose counters cannot be compared', () => {
    const restarted = worseSamples(({ breakers, pools }) => ({
      breakers: breakers.map((each) => ({ ...each, trips: null })),
      pools: pools.map((each) => ({ ...each, rejections: null })),
    }));
    fc.assert(
      fc.property(anySituation, (of) => {
        const codes = evaluate(restarted(of)).deductions.map(({ code }) => code);
        assert.ok(!codes.includes('circuit_breaker_tripped') && !codes.includes('thread_pool_rejections'));
      }),
    );
  });
});

const yellow = (of: Situation): ClusterState => ({
  ...(of.cluster.known ? of.cluster.value : healthyCluster),
  status: 'yellow',
  unassignedShards: 3,
  unassignedPrimaries: 0,
});
