import fc from 'fast-check';
import { defaultWatermarks } from '../../processors/cluster-health/rules/disk-limits.js';
import {
  known,
  unknown,
  type ClusterState,
  type DiskState,
  type History,
  type LeftNode,
  type NodeSample,
  type NodeState,
  type Situation,
  type Unheard,
} from '../../processors/cluster-health/rules/situation.js';

export const healthyCluster: ClusterState = {
  status: 'green',
  noMaster: false,
  dataNodes: 3,
  unassignedShards: 0,
  unassignedPrimaries: 0,
  initializingShards: 0,
  delayedShards: 0,
  masterKnown: true,
  master: 'node-1',
  affected: null,
};

export const quietHistory: History = {
  mostDataNodes: 3,
  dataNodesSinceGreen: 3,
  nodesLeft: [],
  leftAmong: { count: 0, nodes: [] },
  nodesRestarted: [],
  masterChanges: 0,
};

export const allHeard: Unheard = { failed: 0, failedOften: 0, silent: [], doubtful: [], cut: 0, total: 3 };

const calmSample: NodeSample = {
  heapPercent: 40,
  cpuPercent: 10,
  oldCollectionShare: 0,
  fileDescriptorsShare: 0.01,
  indexingThrottled: false,
  indexingFailures: 0,
  breakers: [{ breaker: 'parent', utilisation: 0.3, trips: 0 }],
  pools: [
    { pool: 'search', busy: false, queueShare: 0, rejections: 0 },
    { pool: 'management', busy: false, queueShare: null, rejections: 0 },
  ],
};

export const nodeWith = (name: string, ...samples: readonly Partial<NodeSample>[]): NodeState => ({
  name,
  absence: null,
  samples: samples.map((sample) => ({ ...calmSample, ...sample })),
});

export const aDisk = (usedRatio: number, totalBytes = 1e12): DiskState => ({
  node: 'node-1',
  absence: null,
  path: '/data',
  totalBytes,
  availableBytes: totalBytes * (1 - usedRatio),
  frozenOnly: false,
});

/** A cluster that is healthy in every respect except those given. */
export function situation(but: Partial<Situation> = {}): Situation {
  return {
    at: 0,
    cluster: known(healthyCluster),
    shards: known({ unassignedByReason: {} }),
    causes: [],
    history: quietHistory,
    disks: known([aDisk(0.5)]),
    withoutDisks: [],
    watermarks: { ...defaultWatermarks(false, ''), assumed: null },
    nodes: known([nodeWith('node-1', {}, {}, {}, {}, {})]),
    unheard: allHeard,
    pending: known({ tasks: 0, longestWaitMs: 0 }),
    ...but,
  };
}

const nullable = <Value>(of: fc.Arbitrary<Value>): fc.Arbitrary<Value | null> => fc.option(of, { freq: 5 });
const share = fc.double({ min: 0, max: 1, noNaN: true });
const small = fc.nat({ max: 5 });

const sample: fc.Arbitrary<NodeSample> = fc.record({
  heapPercent: nullable(fc.nat({ max: 100 })),
  cpuPercent: nullable(fc.nat({ max: 100 })),
  oldCollectionShare: nullable(share),
  fileDescriptorsShare: nullable(share),
  indexingThrottled: nullable(fc.boolean()),
  indexingFailures: nullable(small),
  breakers: fc.uniqueArray(
    fc.record({
      breaker: fc.constantFrom('parent', 'request', 'fielddata'),
      utilisation: nullable(share),
      trips: nullable(small),
    }),
    { selector: ({ breaker }) => breaker, maxLength: 3 },
  ),
  pools: fc.uniqueArray(
    fc.record({
      pool: fc.constantFrom('search', 'write', 'management'),
      busy: nullable(fc.boolean()),
      queueShare: nullable(share),
      rejections: nullable(small),
    }),
    { selector: ({ pool }) => pool, maxLength: 3 },
  ),
});

const cluster: fc.Arbitrary<ClusterState> = fc
  .record({
    dataNodes: nullable(fc.integer({ min: 1, max: 4 })),
    replicasMissing: small,
    unassignedPrimaries: small,
    initializingShards: nullable(small),
    delayedShards: nullable(small),
    noMaster: fc.boolean(),
    masterKnown: fc.boolean(),
  })
  .map(({ replicasMissing, ...rest }) => ({
    ...rest,
    master: null,
    affected: null,
    status: rest.unassignedPrimaries > 0 ? 'red' : replicasMissing > 0 ? 'yellow' : 'green',
    unassignedShards: rest.unassignedPrimaries + replicasMissing,
  }));

const maybe = <Value>(of: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 5, arbitrary: of.map(known) }, fc.constant(unknown('it was not asked')));

const someSilent = fc.array(
  fc.record({
    name: fc.constantFrom('node-4', 'node-5'),
    missed: fc.integer({ min: 1, max: 4 }),
    evaluated: fc.boolean(),
  }),
  { maxLength: 2 },
);

const leftNode: fc.Arbitrary<LeftNode> = fc.record({
  name: fc.constantFrom('node-8', 'node-9'),
  holdsShards: fc.boolean(),
});

/** Any situation that can be measured, healthy or not. */
export const anySituation: fc.Arbitrary<Situation> = fc.record({
  at: fc.constant(0),
  cluster: maybe(cluster),
  shards: maybe(
    fc.record({
      unassignedByReason: fc.dictionary(
        fc.constantFrom('NODE_LEFT', 'INDEX_CREATED', 'ALLOCATION_FAILED', 'CLUSTER_RECOVERED', 'UNKNOWN'),
        small,
      ),
    }),
  ),
  causes: fc.constant([]),
  history: fc.record({
    mostDataNodes: nullable(fc.integer({ min: 1, max: 4 })),
    dataNodesSinceGreen: nullable(fc.integer({ min: 1, max: 4 })),
    nodesLeft: fc.array(leftNode, { maxLength: 2 }),
    leftAmong: fc.record({ count: small, nodes: fc.array(leftNode, { minLength: 1, maxLength: 3 }) }),
    nodesRestarted: fc.array(fc.constantFrom('node-6', 'node-7'), { maxLength: 2 }),
    masterChanges: small,
  }),
  disks: maybe(
    fc.array(
      share.map((used) => aDisk(used)),
      { maxLength: 4 },
    ),
  ),
  withoutDisks: fc.constant([]),
  watermarks: fc.constantFrom(
    { ...defaultWatermarks(false, ''), assumed: null },
    defaultWatermarks(true, 'the privilege is missing'),
  ),
  nodes: maybe(
    fc.array(
      fc.record({
        name: fc.constantFrom('node-1', 'node-2'),
        absence: fc.constantFrom(null, null, 'silent' as const),
        samples: fc.array(sample, { minLength: 1, maxLength: 6 }),
      }),
      { maxLength: 3 },
    ),
  ),
  unheard: fc
    .record({
      failed: small,
      silent: someSilent,
      doubtful: fc.oneof(fc.constant([]), someSilent),
      cut: small,
    })
    .map((of) => ({ ...of, failedOften: of.failed, total: null })),
  pending: maybe(fc.record({ tasks: small, longestWaitMs: fc.nat({ max: 400_000 }) })),
});
