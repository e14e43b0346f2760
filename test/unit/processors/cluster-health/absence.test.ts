import assert from 'node:assert/strict';
import type { ClusterSnapshot } from '../../../../schemas/generated/cluster-snapshot.js';
import {
  healthBody,
  nodesBody,
  snapshot,
  SteppedCluster,
  type NodeBody,
} from '../../../support/cluster-snapshots.js';
import { codesOf, healthsAfter, healthsOf } from '../../../support/health-records.js';

const minuteMs = 60_000;
const minutes = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);
const looked = (minute: number, master: string | null, ...nodes: readonly NodeBody[]): ClusterSnapshot[] => [
  snapshot('nodes', minute, nodesBody(...nodes)),
  snapshot('health', minute, healthBody({ nodes: nodes.length, data_nodes: 3, master_node_id: master })),
];
const before = minutes(1, 5).flatMap((minute) =>
  looked(minute, 'n1', { id: 'n1' }, { id: 'n2' }, { id: 'n3' }),
);
/** Meanwhile n1 has restarted, n2 has left, and n3 has become master. */
const changed = (minute: number, { startedAt = 60 } = {}): ClusterSnapshot[] =>
  looked(minute, 'n3', { id: 'n1', start: startedAt * minuteMs }, { id: 'n3' });

describe('what happened while no agent looked', () => {
  it('is not counted as recent if no agent looked all night', async () => {
    const healths = await healthsAfter(...before, ...minutes(600, 603).flatMap((minute) => changed(minute)));
    const after = healths.filter(({ at, score }) => at >= 600 * minuteMs && score !== null);
    assert.deepEqual(
      after.map(({ score }) => score),
      after.map(() => 100),
    );
  });

  it('is dated at the last look if the gap was a few minutes, and expires in time', async () => {
    const healths = await healthsAfter(
      ...before,
      ...minutes(14, 80).flatMap((minute) => changed(minute, { startedAt: 6 })),
    );
    const codesAt = (minute: number): readonly string[] =>
      codesOf(healths.findLast(({ at }) => at < (minute + 1) * minuteMs)).toSorted();
    assert.deepEqual(codesAt(14), ['master_changed', 'node_left', 'node_restarted']);
    assert.deepEqual(codesAt(19), ['master_changed', 'node_left', 'node_restarted']);
    assert.deepEqual(codesAt(20), ['master_changed', 'node_restarted']);
    assert.deepEqual(codesAt(22), ['master_changed']);
    assert.deepEqual(codesAt(66), []);
  });

  it('includes a recent restart if the start of the JVM shows one', async () => {
    const started = (minute: number, but: object) => {
      const body = nodesBody({ id: 'n1', start: 2 }, { id: 'n2' }, { id: 'n3' });
      const [first, ...others] = body.nodes;
      return [
        snapshot('nodes', minute, { ...body, nodes: [{ ...first, ...but }, ...others] }),
        snapshot('health', minute, healthBody({ nodes: 3, data_nodes: 3 })),
      ];
    };
    const codesAfter = async (but: object): Promise<string[]> =>
      codesOf((await healthsAfter(...before, ...started(600, but))).at(-1));
    assert.deepEqual(await codesAfter({ jvm_started_at: 595 * minuteMs }), ['node_restarted']);
    assert.deepEqual(await codesAfter({ jvm_started_at: 500 * minuteMs }), []);
    // The node's clock is an hour behind the agent's, or the node reports only its uptime.
    const behind = { jvm_started_at: 535 * minuteMs, measured_at: 540 * minuteMs };
    assert.deepEqual(await codesAfter(behind), ['node_restarted']);
    assert.deepEqual(await codesAfter({ jvm_started_at: null, uptime_ms: 5 * minuteMs }), ['node_restarted']);
    assert.deepEqual(await codesAfter({ jvm_started_at: null }), []);
  });

  it('does not make a former member count as silent, or be evaluated by its old report', async () => {
    const healths = await healthsAfter(
      ...minutes(1, 5).flatMap((minute) => looked(minute, 'n1', { id: 'n1' }, { id: 'n2', heap: 97 })),
      snapshot(
        'nodes',
        600,
        { ...nodesBody({ id: 'n1' }), nodes_total: 2, nodes_failed: 1 },
        { partial: true },
      ),
      snapshot('health', 600, healthBody({ nodes: 2, data_nodes: 3 })),
    );
    assert.deepEqual(codesOf(healths.at(-1)), []);
  });

  it('includes a change of the master once one is elected, even after hours without a master', async () => {
    const without = (minute: number) =>
      snapshot('health', minute, healthBody({ status: null, no_master: true, master_node_id: null }));
    const healths = await healthsAfter(
      ...before,
      ...minutes(6, 90).map(without),
      ...looked(91, 'n3', { id: 'n1' }, { id: 'n2' }, { id: 'n3' }),
    );
    assert.ok(codesOf(healths.at(-1)).includes('master_changed'));
  });

  it('is reported in the same way by a process that acquires the partition', async () => {
    const run = async (restart: boolean) => {
      const cluster = new SteppedCluster();
      await cluster.run(before);
      if (restart) cluster.restart();
      await cluster.run(changed(14));
      return healthsOf(cluster);
    };
    assert.deepEqual(await run(true), await run(false));
  });
});
