import fc from 'fast-check';
import type { ClusterSnapshot } from '../../schemas/generated/cluster-snapshot.js';
import { healthBody, nodeBody, snapshot } from './cluster-snapshots.js';

export type NodeOfMinute = ReturnType<typeof sickNode>;
type HealthBody = ReturnType<typeof healthBody>;

/** One minute of a cluster in its true state, before it is sent. */
export interface Minute {
  readonly minute: number;
  readonly version: string;
  readonly health: HealthBody;
  readonly nodes: readonly NodeOfMinute[];
  readonly silent: readonly string[];
  readonly pending: { readonly tasks_total: number; readonly max_wait_ms: number };
}

/** Possible faults of a node, in any combination. A node without any is healthy in every respect. */
interface Sickness {
  readonly heap: number;
  readonly free: number;
  readonly cpu: number;
  readonly descriptors: number;
  readonly throttled: boolean;
  readonly near: boolean;
  readonly busy: boolean;
  readonly holdsShards: boolean;
  /** Milliseconds per minute. */
  readonly collectingMs: number;
  readonly failures: number;
  readonly trips: number;
  readonly rejections: number;
}

const mostly = <Value>(well: Value, ...sick: readonly Value[]): fc.Arbitrary<Value> =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(well) }, fc.constantFrom(...sick));

const sickness: fc.Arbitrary<Sickness> = fc.record({
  heap: mostly(40, 86, 97),
  free: mostly(500, 120, 80, 20),
  cpu: mostly(10, 95),
  descriptors: mostly(10, 900, 990),
  throttled: mostly(false, true),
  near: mostly(false, true),
  busy: mostly(false, true),
  holdsShards: mostly(true, false),
  collectingMs: mostly(0, 30_000),
  failures: mostly(0, 2),
  trips: mostly(0, 1),
  rejections: mostly(0, 1),
});

function sickNode(id: string, of: Sickness, minute: number) {
  const body = nodeBody({
    id,
    heap: of.heap,
    tripped: of.trips * minute,
    rejected: of.rejections * minute,
  });
  return {
    ...body,
    roles: of.holdsShards ? ['data', 'master'] : ['master'],
    host_cpu_percent: of.cpu,
    open_file_descriptors: of.descriptors,
    max_file_descriptors: 1_000,
    garbage_collectors: [{ collector: 'old', count: 1, time_ms: of.collectingMs * minute }],
    data_paths: [{ path: '/data', total_bytes: 1_000, free_bytes: of.free, available_bytes: of.free }],
    circuit_breakers: body.circuit_breakers.map((each) => ({
      ...each,
      estimated_bytes: of.near ? 950 : 300,
    })),
    thread_pools: body.thread_pools.map((each) => (of.busy ? { ...each, active: 4, queue: 9 } : each)),
    operations: {
      ...body.operations,
      indexing_failed: of.failures * minute,
      indexing_version_conflicts: 0,
      indexing_is_throttled: of.throttled,
    },
  };
}

/** One version of each major version with captured answers. */
const version = fc.constantFrom('7.17.15', '8.14.1', '9.4.3');

/** Minutes of the same nodes, with counters that only rise; six more minutes than `length`. */
export const anyCluster = (length: {
  readonly min: number;
  readonly max: number;
}): fc.Arbitrary<readonly Minute[]> =>
  fc
    .record({
      version,
      length: fc.integer(length),
      nodes: fc.array(sickness, { minLength: 2, maxLength: 3 }),
      replicas: fc.constantFrom(0, 2),
      primaries: mostly(0, 1, 11),
      waitMs: fc.constantFrom(0, 40_000),
    })
    .map((cluster) => Array.from({ length: cluster.length + 6 }, (_, minute) => minuteOf(cluster, minute)));

function minuteOf(
  cluster: {
    readonly version: string;
    readonly nodes: readonly Sickness[];
    readonly replicas: number;
    readonly primaries: number;
    readonly waitMs: number;
  },
  minute: number,
): Minute {
  const { nodes, replicas, primaries, waitMs } = cluster;
  return {
    minute,
    version: cluster.version,
    health: healthBody({
      status: primaries > 0 ? 'red' : replicas > 0 ? 'yellow' : 'green',
      nodes: nodes.length,
      data_nodes: nodes.filter(({ holdsShards }) => holdsShards).length,
      unassigned_shards: replicas + primaries,
      unassigned_primaries: primaries,
    }),
    nodes: nodes.map((of, index) => sickNode(`n${index}`, of, minute)),
    silent: [],
    pending: { tasks_total: waitMs > 0 ? 1 : 0, max_wait_ms: waitMs },
  };
}

/** The same minute without this node. */
export function withoutNode(minute: Minute, id: string): Minute {
  const nodes = minute.nodes.filter(({ node_id }) => node_id !== id);
  const dataNodes = nodes.filter(({ roles }) => roles.includes('data')).length;
  return { ...minute, nodes, health: { ...minute.health, nodes: nodes.length, data_nodes: dataNodes } };
}

export function sent({ minute, version, health, nodes, silent, pending }: Minute): ClusterSnapshot[] {
  const answered = nodes.filter(({ node_id }) => !silent.includes(node_id));
  const failed = nodes.length - answered.length;
  const body = { nodes_total: nodes.length, nodes_failed: failed, nodes_cut: 0, nodes: answered };
  const of = { cluster_version: version };
  return [
    snapshot('nodes', minute, body, { ...of, partial: failed > 0 }),
    snapshot('pending_tasks', minute, pending, of),
    snapshot(
      'health',
      minute,
      {
        ...health,
        pending_tasks: pending.tasks_total,
        pending_tasks_max_wait_ms: pending.max_wait_ms,
      },
      of,
    ),
  ];
}
