import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ClusterHealth } from '../../../../schemas/generated/cluster-health.js';
import type { ClusterSnapshot } from '../../../../schemas/generated/cluster-snapshot.js';
import type { SectionName } from '../../../../schemas/snapshots.js';
import { healthBody, nodeBody, snapshot } from '../../../support/cluster-snapshots.js';
import { healthsAfter } from '../../../support/health-records.js';

type NodeBody = ReturnType<typeof nodeBody>;
type HealthBody = ReturnType<typeof healthBody>;

/** One minute of a cluster as it is, before it is sent. */
interface Minute {
  readonly minute: number;
  readonly health: HealthBody;
  readonly nodes: readonly NodeBody[];
  readonly silent: readonly string[];
  readonly pending: { readonly tasks_total: number; readonly max_wait_ms: number };
}

const heap = fc.constantFrom(40, 86, 97);
const counted = fc.constantFrom(0, 0, 0, 1);

/** Nodes that stay what they are, with counters that only rise. */
const anyCluster: fc.Arbitrary<readonly Minute[]> = fc
  .record({
    length: fc.integer({ min: 5, max: 7 }),
    heaps: fc.array(heap, { minLength: 2, maxLength: 3 }),
    trips: counted,
    rejections: counted,
    free: fc.constantFrom(500, 120, 80, 20),
    replicas: fc.constantFrom(0, 2),
    primaries: fc.constantFrom(0, 0, 1),
    waitMs: fc.constantFrom(0, 40_000),
  })
  .map(({ length, heaps, trips, rejections, free, replicas, primaries, waitMs }) =>
    Array.from({ length }, (_, minute): Minute => ({
      minute,
      health: healthBody({
        status: primaries > 0 ? 'red' : replicas > 0 ? 'yellow' : 'green',
        nodes: heaps.length,
        data_nodes: heaps.length,
        unassigned_shards: replicas + primaries,
        unassigned_primaries: primaries,
      }),
      nodes: heaps.map((percent, index) => ({
        ...nodeBody({
          id: `n${index}`,
          heap: percent,
          tripped: trips * minute,
          rejected: rejections * minute,
        }),
        data_paths: [{ path: '/data', total_bytes: 1_000, free_bytes: free, available_bytes: free }],
      })),
      silent: [],
      pending: { tasks_total: waitMs > 0 ? 1 : 0, max_wait_ms: waitMs },
    })),
  );

function sent({ minute, health, nodes, silent, pending }: Minute): ClusterSnapshot[] {
  const answered = nodes.filter(({ node_id }) => !silent.includes(node_id));
  const body = { nodes_total: nodes.length, nodes_failed: silent.length, nodes_cut: 0, nodes: answered };
  return [
    snapshot('nodes', minute, body, { partial: silent.length > 0 }),
    snapshot('pending_tasks', minute, pending),
    snapshot('health', minute, {
      ...health,
      pending_tasks: pending.tasks_total,
      pending_tasks_max_wait_ms: pending.max_wait_ms,
    }),
  ];
}

type Worse = (minute: Minute, since: number) => Minute;

const everyNode =
  (worse: (node: NodeBody, since: number) => object): Worse =>
  (minute, since) => ({
    ...minute,
    nodes: minute.nodes.map((node) => ({ ...node, ...worse(node, since) })),
  });
const oneNode =
  (worse: (node: NodeBody, since: number) => object): Worse =>
  (minute, since) => ({
    ...minute,
    nodes: minute.nodes.map((node, index) => (index === 0 ? { ...node, ...worse(node, since) } : node)),
  });

const worse: Readonly<Record<string, Worse>> = {
  'heaps fill': everyNode(({ heap_used_percent: percent }) => ({ heap_used_percent: Math.max(percent, 96) })),
  'a heap fills': oneNode(({ heap_used_percent: percent }) => ({ heap_used_percent: Math.max(percent, 96) })),
  'breakers trip': everyNode((node, since) => ({
    circuit_breakers: node.circuit_breakers.map((each) => ({ ...each, tripped: each.tripped + since })),
  })),
  'a pool rejects': oneNode((node, since) => ({
    thread_pools: node.thread_pools.map((each) => ({ ...each, rejected: each.rejected + since })),
  })),
  'disks fill': everyNode((node) => ({
    data_paths: node.data_paths.map((path) => ({ ...path, available_bytes: path.available_bytes / 2 })),
  })),
  'a replica is lost': ({ health, ...rest }) => ({
    ...rest,
    health: {
      ...health,
      status: health.status === 'green' ? 'yellow' : health.status,
      unassigned_shards: health.unassigned_shards + 1,
    },
  }),
  'a primary is lost': ({ health, ...rest }) => ({
    ...rest,
    health: {
      ...health,
      status: 'red',
      unassigned_shards: health.unassigned_shards + 1,
      unassigned_primaries: health.unassigned_primaries + 1,
    },
  }),
  'the master is lost': ({ health, ...rest }) => ({ ...rest, health: { ...health, no_master: true } }),
  'tasks wait longer': (minute) => ({ ...minute, pending: { tasks_total: 2, max_wait_ms: 400_000 } }),
  'a node stops answering': (minute) => ({ ...minute, silent: ['n0'] }),
  'all nodes but one stop answering': (minute) => ({
    ...minute,
    silent: minute.nodes.slice(1).map(({ node_id }) => node_id),
  }),
};

/** A log without a section, from where it is lost on. */
const without =
  (...sections: readonly SectionName[]) =>
  (records: readonly ClusterSnapshot[]): ClusterSnapshot[] =>
    records.filter(({ section }) => !sections.includes(section as SectionName));

const lostSections: Readonly<Record<string, (records: readonly ClusterSnapshot[]) => ClusterSnapshot[]>> = {
  'its health': without('health'),
  'its nodes': without('nodes'),
  'its pending tasks': without('pending_tasks'),
};

const withoutFigure: Readonly<Record<string, Worse>> = {
  'its heap': everyNode(() => ({ heap_used_percent: null, heap_used_bytes: null })),
  'its breakers': oneNode(() => ({ circuit_breakers: [] })),
  'its thread pools': oneNode(() => ({ thread_pools: [] })),
  'how often its breakers tripped': everyNode((node) => ({
    circuit_breakers: node.circuit_breakers.map((each) => ({ ...each, tripped: null })),
  })),
  'how much its pools rejected': everyNode((node) => ({
    thread_pools: node.thread_pools.map((each) => ({ ...each, rejected: null })),
  })),
  'its incarnation': everyNode(() => ({ incarnation: null })),
  'its disks': everyNode(() => ({ data_paths: [] })),
  'its disks, while others do': oneNode(() => ({ data_paths: [] })),
};

async function lastOf(log: readonly ClusterSnapshot[]): Promise<ClusterHealth> {
  const last = (await healthsAfter(...log)).at(-1);
  return last ?? assert.fail('no record');
}

const extended = (minutes: readonly Minute[]): readonly Minute[] => [
  ...minutes,
  ...Array.from({ length: 6 }, (_, index) => {
    const last = minutes.at(-1) ?? assert.fail('no minute');
    return { ...last, minute: last.minute + 1 + index };
  }),
];

/** The score is no higher, or there is none; or, where that may be, something is listed as not measured that was. */
function assertNoBetter(
  before: ClusterHealth,
  after: ClusterHealth,
  { orListed }: { orListed: boolean },
): void {
  if (after.score === null) {
    assert.ok(after.not_measured.some(({ what }) => what === 'score'));
    return;
  }
  if (after.score <= (before.score ?? 100)) return;
  const measured = after.not_measured.filter(
    ({ what }) => !before.not_measured.some((other) => other.what === what),
  );
  assert.ok(orListed && measured.length > 0, JSON.stringify([before, after]));
}

describe('the score of a cluster, from its snapshots', () => {
  for (const [name, turn] of Object.entries(worse)) {
    it(`never rises when ${name}`, async () => {
      await fc.assert(
        fc.asyncProperty(anyCluster, fc.nat({ max: 4 }), async (cluster, from) => {
          const minutes = extended(cluster);
          const start = cluster.length - from;
          const turned = minutes.map((each, index) => (index < start ? each : turn(each, index - start + 1)));
          const before = await lastOf(minutes.flatMap(sent));
          assertNoBetter(before, await lastOf(turned.flatMap(sent)), { orListed: false });
        }),
        { numRuns: 12 },
      );
    });
  }

  it('never rises, or says what is not measured, when a node leaves while another does not answer', async () => {
    await fc.assert(
      fc.asyncProperty(anyCluster, fc.nat({ max: 4 }), fc.nat({ max: 6 }), async (cluster, from, later) => {
        const start = cluster.length - from;
        const hanging = extended(cluster).map((each, index) =>
          index < start ? each : { ...each, silent: ['n0'] },
        );
        const left = hanging.map((each, index) =>
          index < start + later
            ? each
            : { ...each, nodes: each.nodes.filter(({ node_id }) => node_id !== 'n1') },
        );
        assertNoBetter(await lastOf(hanging.flatMap(sent)), await lastOf(left.flatMap(sent)), {
          orListed: true,
        });
      }),
      { numRuns: 12 },
    );
  });

  for (const [name, lose] of Object.entries(lostSections)) {
    it(`never rises, or says what is not measured, where a cluster loses ${name}`, async () => {
      await fc.assert(
        fc.asyncProperty(anyCluster, async (cluster) => {
          const minutes = extended(cluster);
          const lost = minutes.flatMap((each, index) =>
            index < cluster.length ? sent(each) : lose(sent(each)),
          );
          assertNoBetter(await lastOf(minutes.flatMap(sent)), await lastOf(lost), { orListed: true });
        }),
        { numRuns: 12 },
      );
    });
  }

  for (const [name, lose] of Object.entries(withoutFigure)) {
    it(`never rises, or says what is not measured, where a node no longer gives ${name}`, async () => {
      await fc.assert(
        fc.asyncProperty(anyCluster, fc.integer({ min: 1, max: 6 }), async (cluster, last) => {
          const minutes = extended(cluster);
          const lost = minutes.map((each, index) =>
            index < minutes.length - last ? each : lose(each, index),
          );
          assertNoBetter(await lastOf(minutes.flatMap(sent)), await lastOf(lost.flatMap(sent)), {
            orListed: true,
          });
        }),
        { numRuns: 12 },
      );
    });
  }
});
