import assert from 'node:assert/strict';
import type { ClusterHealth } from '../../../../schemas/generated/cluster-health.js';
import type { ClusterSnapshot } from '../../../../schemas/generated/cluster-snapshot.js';
import {
  healthBody,
  nodeBody,
  nodesBody,
  snapshot,
  type NodeBody,
} from '../../../support/cluster-snapshots.js';
import { codesOf, healthsAfter, missingOf } from '../../../support/health-records.js';

const minutes = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);
const cycle = (minute: number, ...nodes: readonly NodeBody[]): ClusterSnapshot[] => [
  snapshot('nodes', minute, nodesBody(...nodes)),
  snapshot('health', minute, healthBody({ nodes: nodes.length, data_nodes: nodes.length })),
];
const at = (healths: readonly ClusterHealth[], minute: number): ClusterHealth | undefined =>
  healths.findLast((health) => health.at < (minute + 1) * 60_000);

const others: readonly NodeBody[] = [{ id: 'n1' }, { id: 'n2' }];

describe('a node that leaves', () => {
  it('is evaluated only by its absence, for 15 minutes, and no other reason names it', async () => {
    const healths = await healthsAfter(
      ...minutes(1, 5).flatMap((minute) => cycle(minute, ...others, { id: 'n3', heap: 97 })),
      ...minutes(6, 21).flatMap((minute) => cycle(minute, ...others)),
    );
    assert.deepEqual(codesOf(at(healths, 5)), ['heap_critical']);
    for (const minute of minutes(6, 19)) {
      assert.deepEqual(codesOf(at(healths, minute)), ['node_left'], String(minute));
    }
    assert.match(at(healths, 6)?.deductions[0]?.reason ?? '', /^1 node left .*: node-n3\. /);
    assert.deepEqual(codesOf(at(healths, 20)), []);
  });

  it('costs only the points for leaving if it was well', async () => {
    const healths = await healthsAfter(
      ...minutes(1, 6).flatMap((minute) => cycle(minute, ...others, { id: 'n3' })),
      ...minutes(7, 9).flatMap((minute) => cycle(minute, ...others)),
    );
    const before = at(healths, 6);
    const after = at(healths, 9);
    assert.deepEqual([before?.score, after?.score], [100, 90]);
    const unmeasured = (health: ClusterHealth | undefined) => health?.not_measured.map(({ what }) => what);
    assert.deepEqual(unmeasured(after), unmeasured(before));
  });

  it('and comes back restarted has no trips, no rejections and none of its earlier problems', async () => {
    const ill = { id: 'n3', heap: 97, tripped: 0, rejected: 0 };
    const healths = await healthsAfter(
      ...minutes(1, 5).flatMap((minute) => cycle(minute, ...others, ill)),
      ...minutes(6, 7).flatMap((minute) => cycle(minute, ...others)),
      ...cycle(8, ...others, { id: 'n3', start: 8 * 60_000, tripped: 3, rejected: 3 }),
    );
    assert.deepEqual(codesOf(healths.at(-1)), ['node_restarted']);
  });
});

describe('the last data node of 7.x', () => {
  const full = (minute: number, version: string, ...ids: readonly string[]): ClusterSnapshot[] => {
    const data_paths = [{ path: '/data', total_bytes: 1_000, free_bytes: 70, available_bytes: 70 }];
    const nodes = ids.map((id) => ({ ...nodeBody({ id }), data_paths }));
    const of = { cluster_version: version };
    return [
      snapshot('nodes', minute, { ...nodesBody(), nodes_total: ids.length, nodes }, of),
      snapshot('health', minute, healthBody({ nodes: ids.length, data_nodes: ids.length }), of),
    ];
  };
  const exempt = 'low and high disk watermarks';

  it('is evaluated by every watermark if others were lost in the last day, as in any other version', async () => {
    for (const version of ['7.17.15', '8.14.1', '9.4.3']) {
      const healths = await healthsAfter(
        ...minutes(1, 3).flatMap((minute) => full(minute, version, 'n1', 'n2')),
        ...minutes(4, 30).flatMap((minute) => full(minute, version, 'n1')),
      );
      const soon = at(healths, 5)?.deductions.find(({ code }) => code === 'disk_high');
      assert.equal(soon?.points, 15, version);
      assert.deepEqual(codesOf(healths.at(-1)), ['disk_high'], version);
      assert.equal(missingOf(healths.at(-1), exempt), undefined);
    }
  });

  it('is evaluated only by the flood stage if there was no other', async () => {
    const healths = await healthsAfter(...minutes(1, 3).flatMap((minute) => full(minute, '7.17.15', 'n1')));
    assert.deepEqual(codesOf(healths.at(-1)), []);
    assert.match(missingOf(healths.at(-1), exempt) ?? '', /single data node/);
  });
});
