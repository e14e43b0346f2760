import { known, type NodeSample, type Situation } from '../../processors/cluster-health/rules/situation.js';
import { aDisk, allHeard, healthyCluster, nodeWith, quietHistory } from './situations.js';

const clusterWith = (but: Partial<typeof healthyCluster>): Partial<Situation> => ({
  cluster: known({ ...healthyCluster, ...but }),
});
const five = <Value>(value: Value): Value[] => Array.from({ length: 5 }, () => value);
const nodesWith = (...samples: readonly Partial<NodeSample>[]): Partial<Situation> => ({
  nodes: known(samples.map((sample, index) => nodeWith(`node-${index + 1}`, ...five(sample)))),
});
const index = (name: string, unassignedPrimaries: number, unassignedReplicas: number, recovering = 0) => ({
  index: name,
  unassignedPrimaries,
  unassignedReplicas,
  recovering,
});
const red = { status: 'red', unassignedShards: 7, unassignedPrimaries: 4 } as const;
const yellow = { status: 'yellow', unassignedShards: 24, unassignedPrimaries: 0 } as const;
const affected = {
  worst: [index('orders', 2, 2), index('logs', 1, 0), index('books', 1, 1)],
  lackingPrimaries: 3,
  lackingReplicas: 2,
  recovering: 0,
};
const replicasOnly = {
  worst: 'abcdef'.split('').map((letter, at) => index(`logs-${letter}`, 0, 6 - at)),
  lackingPrimaries: 0,
  lackingReplicas: 9,
  recovering: 0,
};
const recovering = {
  worst: [index('orders', 0, 0, 2), index('logs', 0, 0, 1)],
  lackingPrimaries: 0,
  lackingReplicas: 0,
  recovering: 2,
};
const cause = (of: string, primary: boolean, code: string, text: string) => ({
  index: of,
  primary,
  shards: 2,
  code,
  text,
});
const lostCopy =
  'No node of the cluster holds the data of this primary shard. Bring back the node that had it; if it is lost permanently, restore orders from a snapshot.';
const fullDisks =
  'The disks of the nodes that could take the shard are past the low or the high watermark. Free space, add a data node or a disk, or move shards away.';
const single = { dataNodes: 1, affected: replicasOnly };
const alone = { ...quietHistory, mostDataNodes: 1, dataNodesSinceGreen: 1 };
const created = (shards: number) => ({
  shards: known({ unassignedByReason: { INDEX_CREATED: shards } }),
});
const left = (...names: readonly string[]) => ({
  history: { ...quietHistory, nodesLeft: names.map((name) => ({ name, holdsShards: true })) },
});
const silent = (name: string) => ({ name, missed: 3, evaluated: true });
const diskOf = (node: string, used: number) => ({ ...aDisk(used), node });
const pool = (but: object) => ({
  pools: [{ pool: 'search', busy: true, queueShare: 0.9, rejections: 0, ...but }],
});
const breaker = (utilisation: number, trips: number) => ({
  breakers: [{ breaker: 'parent', utilisation, trips }],
});

/** One situation for each possible start of a reason, with one subject and with several. */
export const reportedSituations: Readonly<Record<string, Partial<Situation>>> = {
  'no master': clusterWith({
    noMaster: true,
    status: null,
    unassignedShards: null,
    unassignedPrimaries: null,
  }),
  'one primary lost, not explained, place unknown': clusterWith({
    ...red,
    unassignedShards: 1,
    unassignedPrimaries: 1,
  }),
  'primaries lost, not explained': clusterWith({ ...red, affected }),
  'primaries lost, explained': {
    ...clusterWith({ ...red, affected }),
    causes: [
      cause('orders', true, 'copy_lost', lostCopy),
      { ...cause('logs', true, 'delayed', 'The cluster waits.'), shards: 1 },
      cause('books', false, 'disk_full', fullDisks),
    ],
  },
  'red, primaries unknown': clusterWith({ status: 'red', unassignedPrimaries: null }),
  'red, recovering': clusterWith({ status: 'red', initializingShards: 3, affected: recovering }),
  'replicas lost, many indices': clusterWith({ ...yellow, affected: replicasOnly }),
  'replicas kept away by full disks': {
    ...clusterWith({ ...yellow, affected: replicasOnly }),
    causes: [cause('logs-a', false, 'disk_full', fullDisks)],
  },
  'replicas of a single node': { ...clusterWith({ ...yellow, ...single }), history: alone, ...created(24) },
  'replicas of a single node that is red': {
    ...clusterWith({ ...red, dataNodes: 1, affected }),
    history: alone,
    ...created(3),
  },
  'replicas of the last of several nodes': clusterWith({ ...yellow, ...single }),
  'replicas of a node that may have been one of several': {
    ...clusterWith({ ...yellow, ...single }),
    history: alone,
  },
  'yellow, recovering': clusterWith({ status: 'yellow', initializingShards: 3, affected: recovering }),
  'one node left': left('node-3'),
  'several nodes left': left('node-3', 'node-4'),
  'one node is silent': { unheard: { ...allHeard, failed: 1, failedOften: 1, silent: [silent('node-2')] } },
  'several nodes are silent': {
    unheard: { ...allHeard, failed: 2, failedOften: 2, silent: [silent('node-2'), silent('node-3')] },
  },
  'disk past low': { disks: known([diskOf('node-1', 0.87)]) },
  'disk past high': { disks: known([diskOf('node-1', 0.91)]) },
  'disks past flood stage and others': {
    disks: known([
      diskOf('node-1', 0.97),
      diskOf('node-2', 0.92),
      { ...diskOf('node-3', 0.99), absence: 'silent' },
    ]),
  },
  'heap high': nodesWith({ heapPercent: 86.4 }),
  'heaps critical': nodesWith({ heapPercent: 100 }, { heapPercent: 97 }, { heapPercent: 88 }),
  'garbage collection': nodesWith({ oldCollectionShare: 0.126 }, { oldCollectionShare: 0.33 }),
  'breaker tripped': nodesWith(breaker(0.4, 1)),
  'breakers tripped and near their limit': nodesWith(breaker(0.4, 1), breaker(0.97, 0)),
  'breaker near its limit': nodesWith(breaker(0.9, 0)),
  'pool rejects': nodesWith(pool({ busy: false, rejections: 3 })),
  'pool rejects while another is busy': nodesWith(pool({ rejections: 3 }), pool({})),
  'queue full': nodesWith(pool({})),
  'pool busy': nodesWith(pool({ queueShare: 0.1 })),
  'one task waits': { pending: known({ tasks: 1, longestWaitMs: 40_000 }) },
  'tasks wait': { pending: known({ tasks: 12, longestWaitMs: 430_000 }) },
  'another master': { history: { ...quietHistory, masterChanges: 1 } },
  'other masters': { history: { ...quietHistory, masterChanges: 4 } },
  'one node restarted': { history: { ...quietHistory, nodesRestarted: ['node-2'] } },
  'several nodes restarted': {
    history: { ...quietHistory, nodesRestarted: ['node-2', 'node-3 [left since]'] },
  },
  'CPU busy': nodesWith({ cpuPercent: 100 }),
  'CPUs busy, of a node that is silent too': {
    nodes: known([
      { ...nodeWith('node-1', ...five({ cpuPercent: 100 })), absence: 'silent' },
      nodeWith('node-2', ...five({ cpuPercent: 93 })),
      ...'345678'.split('').map((digit) => nodeWith(`node-${digit}`, ...five({ cpuPercent: 92 }))),
    ]),
  },
  'file descriptors': nodesWith({ fileDescriptorsShare: 0.871 }),
  'file descriptors of several nodes': nodesWith(
    { fileDescriptorsShare: 0.97 },
    { fileDescriptorsShare: 0.9 },
  ),
  'indexing throttled': nodesWith({ indexingThrottled: true }),
  'indexing throttled on several nodes': nodesWith({ indexingThrottled: true }, { indexingThrottled: true }),
  'indexing fails': nodesWith({ indexingFailures: 1 }),
  'indexing fails on several nodes': nodesWith({ indexingFailures: 20 }, { indexingFailures: 3 }),
};
