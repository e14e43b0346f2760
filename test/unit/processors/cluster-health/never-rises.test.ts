import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ClusterHealth } from '../../../../schemas/generated/cluster-health.js';
import type { ClusterSnapshot } from '../../../../schemas/generated/cluster-snapshot.js';
import type { SectionName } from '../../../../schemas/snapshots.js';
import { healthsAfter } from '../../../support/health-records.js';
import {
  anyCluster,
  sent,
  withoutNode,
  type Minute,
  type NodeOfMinute,
} from '../../../support/sick-clusters.js';
import { runs } from '../../../support/properties.js';

/** Makes a minute of a cluster worse; it has been getting worse for `since` minutes. */
type Worse = (minute: Minute, since: number) => Minute;

const everyNode =
  (worse: (node: NodeOfMinute, since: number) => object): Worse =>
  (minute, since) => ({
    ...minute,
    nodes: minute.nodes.map((node) => ({ ...node, ...worse(node, since) })),
  });
const oneNode =
  (worse: (node: NodeOfMinute, since: number) => object): Worse =>
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

const leaves: Readonly<Record<string, (minute: Minute) => Minute>> = {
  'a node leaves': (minute) => withoutNode(minute, 'n0'),
  'all nodes but one leave': (minute) =>
    minute.nodes.slice(1).reduce((left, { node_id }) => withoutNode(left, node_id), minute),
};

/** Removes all snapshots of these sections. */
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

/** The last record of each minute, made after all of its snapshots have arrived. */
async function minutely(log: readonly ClusterSnapshot[]): Promise<readonly ClusterHealth[]> {
  const byTimestamp = new Map((await healthsAfter(...log)).map((health) => [health.at, health]));
  return [...byTimestamp.values()];
}

async function lastOf(log: readonly ClusterSnapshot[]): Promise<ClusterHealth> {
  return (await minutely(log)).at(-1) ?? assert.fail('no record');
}

/** Asserts that the score is no higher, or null; with `orListed`, more listed as not measured suffices. */
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
  const listedBefore = new Set(before.not_measured.map(({ what, reason }) => `${what}: ${reason}`));
  const measured = after.not_measured.filter(({ what, reason }) => !listedBefore.has(`${what}: ${reason}`));
  assert.ok(orListed && measured.length > 0, JSON.stringify([before, after]));
}

/** Long enough for every rule to have the node samples that it needs before anything becomes worse. */
const wellKnown = anyCluster({ min: 7, max: 8 });
const since = fc.integer({ min: 6, max: 8 });

async function assertNever(
  before: readonly Minute[],
  after: readonly Minute[],
  leave: { orListed: boolean },
): Promise<void> {
  const healths = await minutely(before.flatMap(sent));
  const worse = await minutely(after.flatMap(sent));
  assert.equal(worse.length, healths.length);
  worse.forEach((health, index) => {
    assertNoBetter(healths[index] ?? assert.fail(), health, leave);
  });
}

const turnedAt = (minutes: readonly Minute[], start: number, turn: Worse): readonly Minute[] =>
  minutes.map((each, index) => (index < start ? each : turn(each, index - start + 1)));

describe('the score of a cluster, from its snapshots', () => {
  for (const [name, turn] of Object.entries(worse)) {
    it(`never rises when ${name}`, async () => {
      await fc.assert(
        fc.asyncProperty(wellKnown, since, (minutes, start) =>
          assertNever(minutes, turnedAt(minutes, start, turn), { orListed: false }),
        ),
        { numRuns: runs(4) },
      );
    });
  }

  it('never rises, or says what is not measured, when a node with few samples stops answering', async () => {
    const turn = worse['a node stops answering'] ?? assert.fail();
    await fc.assert(
      fc.asyncProperty(wellKnown, fc.integer({ min: 1, max: 5 }), (minutes, start) =>
        assertNever(minutes, turnedAt(minutes, start, turn), { orListed: true }),
      ),
      { numRuns: runs(4) },
    );
  });

  for (const [name, leave] of Object.entries(leaves)) {
    it(`is no higher than if the node had never been there, when ${name}`, async () => {
      await fc.assert(
        fc.asyncProperty(wellKnown, fc.integer({ min: 1, max: 8 }), async (minutes, start) => {
          const left = (await minutely(turnedAt(minutes, start, leave).flatMap(sent))).slice(start);
          const never = (await minutely(minutes.map(leave).flatMap(sent))).slice(start);
          left.forEach((health, index) => {
            assert.ok(
              (health.score ?? 0) <= (never[index]?.score ?? 100),
              JSON.stringify([never[index], health]),
            );
            const others = health.deductions.filter(({ code }) => code !== 'node_left');
            assert.ok(others.every(({ reason }) => !reason.includes('node-n0') || name !== 'a node leaves'));
          });
        }),
        { numRuns: runs(4) },
      );
    });
  }

  it('never rises when a node leaves while another does not answer', async () => {
    await fc.assert(
      fc.asyncProperty(wellKnown, since, fc.nat({ max: 6 }), (minutes, start, later) => {
        const hanging = turnedAt(minutes, start, (each) => ({ ...each, silent: ['n0'] }));
        const left = turnedAt(hanging, start + later, (each) => withoutNode(each, 'n1'));
        return assertNever(hanging, left, { orListed: false });
      }),
      { numRuns: runs(4) },
    );
  });

  for (const [name, lose] of Object.entries(lostSections)) {
    it(`never rises, or says what is not measured, where a cluster loses ${name}`, async () => {
      await fc.assert(
        fc.asyncProperty(wellKnown, async (minutes) => {
          const lost = minutes.flatMap((each, index) =>
            index < minutes.length - 6 ? sent(each) : lose(sent(each)),
          );
          assertNoBetter(await lastOf(minutes.flatMap(sent)), await lastOf(lost), { orListed: true });
        }),
        { numRuns: runs(4) },
      );
    });
  }

  for (const [name, lose] of Object.entries(withoutFigure)) {
    it(`never rises, or says what is not measured, where a node no longer gives ${name}`, async () => {
      await fc.assert(
        fc.asyncProperty(wellKnown, fc.integer({ min: 1, max: 6 }), (minutes, last) =>
          assertNever(minutes, turnedAt(minutes, minutes.length - last, lose), { orListed: true }),
        ),
        { numRuns: runs(4) },
      );
    });
  }
});
