import assert from 'node:assert/strict';
import type { ClusterHealth } from '../../../../schemas/generated/cluster-health.js';
import type { ClusterSnapshot } from '../../../../schemas/generated/cluster-snapshot.js';
import { healthBody, nodesBody, snapshot, type NodeBody } from '../../../support/cluster-snapshots.js';
import { codesOf, healthsAfter, missingOf } from '../../../support/health-records.js';

const minutes = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);
const cycle = (minute: number, ...nodes: readonly NodeBody[]): ClusterSnapshot[] => [
  snapshot('nodes', minute, nodesBody(...nodes)),
  snapshot('pending_tasks', minute, { tasks_total: 0, max_wait_ms: 0 }),
  snapshot('health', minute, healthBody({ nodes: 2, data_nodes: 2 })),
];
const well = (minute: number): ClusterSnapshot[] => cycle(minute, { id: 'n1' }, { id: 'n2' });
const failing = (minute: number, but: Partial<ClusterSnapshot> = {}): ClusterSnapshot =>
  snapshot(
    'capabilities',
    minute,
    {
      sections: ['health', 'nodes', 'pending_tasks', 'indices'].map((section) => ({
        section,
        state: section === 'indices' ? 'ok' : 'failing',
        reason: section === 'indices' ? null : 'connect ECONNREFUSED',
      })),
    },
    but,
  );
/** Snapshots in which some members did not answer. */
const answered = (minute: number, ids: readonly string[], failed: number): ClusterSnapshot[] => {
  const total = ids.length + failed;
  const body = { ...nodesBody(...ids.map((id) => ({ id }))), nodes_total: total, nodes_failed: failed };
  return [
    snapshot('nodes', minute, body, { partial: failed > 0 }),
    snapshot('health', minute, healthBody({ nodes: total, data_nodes: total })),
  ];
};
const withoutN2 = (minute: number): ClusterSnapshot[] => answered(minute, ['n1'], 1);

describe('a cluster that does not answer', () => {
  it('loses its score, and status, as soon as its agent says that nothing can be collected', async () => {
    const healths = await healthsAfter(...minutes(1, 5).flatMap(well), failing(6));
    assert.equal(healths.at(-2)?.score, 100);
    const last = healths.at(-1);
    assert.deepEqual([last?.score, last?.status], [null, null]);
    assert.match(
      missingOf(last, 'score') ?? '',
      /^No score, as the cluster's own health has not been collected since 1970-01-01T00:05:01Z: connect ECONNREFUSED\. The node .* is stopped, .* Start this node, or .*\.$/,
    );
  });

  it('loses its score at once if its agent is no longer allowed to read anything, and names the privilege', async () => {
    const forbidden = snapshot('capabilities', 6, {
      sections: ['health', 'nodes', 'pending_tasks'].map((section) => ({
        section,
        state: 'forbidden',
        privilege: 'cluster: monitor',
      })),
    });
    const healths = await healthsAfter(...minutes(1, 5).flatMap(well), forbidden);
    const last = healths.at(-1);
    assert.deepEqual([last?.score, last?.status], [null, null]);
    assert.match(
      missingOf(last, 'score') ?? '',
      /has not been readable since 1970-01-01T00:05:01Z: the privilege cluster: monitor is missing\. .* Grant this privilege .*\.$/,
    );
  });

  it('keeps its score until an interval is missed, if its agent says so right after a snapshot', async () => {
    const healths = await healthsAfter(...minutes(1, 5).flatMap(well), failing(5), failing(6));
    assert.deepEqual(
      healths.slice(-2).map(({ score }) => score),
      [100, null],
    );
  });

  it('is reported again whenever its agent reports it, and has a score again with its first answer', async () => {
    const healths = await healthsAfter(...well(1), failing(2), failing(17), ...well(18));
    assert.deepEqual(
      healths.map(({ score }) => score),
      [100, null, null, null, 100],
    );
  });

  it("is not considered silent because of one agent's report while another agent collects", async () => {
    const healths = await healthsAfter(
      ...minutes(1, 5).flatMap(well),
      failing(6, { reporter: 'host-two', collection: 'agent-two' }),
      ...well(6),
    );
    assert.ok(healths.every(({ score }) => score === 100));
  });

  it('is recognised from the reports of each of its agents, even within one minute', async () => {
    const healths = await healthsAfter(
      ...minutes(1, 5).flatMap(well),
      failing(6, { reporter: 'host-two', collection: 'agent-two' }),
      failing(6),
    );
    assert.equal(healths.at(-1)?.score, null);
  });

  it('keeps its score while one of its two agents can collect, even if the other had the last slot', async () => {
    const other = { reporter: 'host-two', collection: 'agent-two' };
    const can = snapshot(
      'capabilities',
      1,
      { sections: ['health', 'nodes', 'pending_tasks'].map((section) => ({ section, state: 'ok' })) },
      other,
    );
    const healths = await healthsAfter(can, ...well(2), failing(3), ...well(4));
    const first = healths.findIndex(({ score }) => score !== null);
    assert.ok(first >= 0 && healths.length > first + 2);
    assert.deepEqual([...new Set(healths.slice(first).map(({ score }) => score))], [100]);
    const both = await healthsAfter(can, ...well(2), failing(3), failing(4, other));
    assert.equal(both.at(-1)?.score, null);
  });

  it('has no score, with the reason, if its agent was never able to read its health', async () => {
    const [health] = await healthsAfter(
      snapshot('capabilities', 1, {
        sections: [{ section: 'health', state: 'forbidden', privilege: 'cluster: monitor' }],
      }),
    );
    assert.equal(health?.score, null);
    assert.match(missingOf(health, 'score') ?? '', /privilege cluster: monitor is missing/);
  });
});

describe('a cluster whose health cannot be read', () => {
  it('has no score, as its data might be unavailable, but still lists what is wrong with its nodes', async () => {
    const hot = (minute: number) => [
      snapshot('nodes', minute, nodesBody({ heap: 97 })),
      ...(minute > 3
        ? []
        : [
            snapshot(
              'health',
              minute,
              healthBody({ status: 'red', unassigned_shards: 1, unassigned_primaries: 1 }),
            ),
          ]),
    ];
    const healths = await healthsAfter(...minutes(1, 8).flatMap(hot));
    assert.equal(healths.filter(({ score }) => score !== null).at(-1)?.score, 35);
    assert.equal(healths.at(-1)?.score, null);
    assert.deepEqual(codesOf(healths.at(-1)), ['heap_critical']);
  });
});

describe('a node that does not answer', () => {
  it('is named at once, costs points from its third silence on, and keeps what was wrong with it', async () => {
    const hot = (minute: number) => cycle(minute, { id: 'n1' }, { id: 'n2', heap: 97 });
    const healths = await healthsAfter(
      ...minutes(1, 5).flatMap(hot),
      ...minutes(6, 12).flatMap((minute) => withoutN2(minute)),
    );
    const scores = healths.map(({ score }) => score ?? 0);
    assert.deepEqual(
      scores.toSorted((one, other) => other - one),
      scores,
    );
    assert.deepEqual(codesOf(healths.at(-1)), ['heap_critical', 'node_silent']);
    assert.match(missingOf(healths.at(-1), 'nodes that did not answer') ?? '', /1 node of 2.*node-n2/);
    const first = healths.find(({ at }) => at > 6 * 60_000);
    assert.match(missingOf(first, 'nodes that did not answer') ?? '', /node-n2/);
    assert.deepEqual(codesOf(first), ['heap_critical']);
  });

  it('costs points even if it has never answered', async () => {
    const healths = await healthsAfter(...minutes(1, 3).flatMap(withoutN2));
    assert.deepEqual(codesOf(healths.at(-1)), ['node_silent']);
  });

  it('is not inferred from different nodes that miss one snapshot each', async () => {
    const all = ['n1', 'n2', 'n3', 'n4'];
    const but = (minute: number, missing: string) =>
      answered(
        minute,
        all.filter((id) => id !== missing),
        1,
      );
    const inTurns = minutes(2, 9).flatMap((minute) => but(minute, `n${2 + (minute % 3)}`));
    const known = await healthsAfter(...answered(1, all, 0), ...inTurns);
    assert.deepEqual(new Set(known.flatMap(codesOf)), new Set());
    const fromTheStart = await healthsAfter(...inTurns);
    assert.deepEqual(new Set(fromTheStart.flatMap(codesOf)), new Set());
  });

  it('is counted separately from others that miss one snapshot', async () => {
    const healths = await healthsAfter(
      ...answered(1, ['n1', 'n2', 'n3'], 0),
      ...answered(2, ['n1', 'n3'], 1),
      ...answered(3, ['n1', 'n3'], 1),
      ...answered(4, ['n1'], 2),
    );
    const last = healths.at(-1);
    assert.deepEqual(
      last?.deductions.map(({ code, points }) => [code, points]),
      [['node_silent', 10]],
    );
    assert.match(last.deductions[0]?.reason ?? '', /^1 node is .*\(node-n2\)/);
    assert.match(missingOf(last, 'nodes that did not answer') ?? '', /2 nodes of 3.*node-n2 and node-n3/);
  });

  it('is counted from scratch if no snapshot was taken for more than three intervals', async () => {
    const before = [...well(1), ...minutes(2, 3).flatMap(withoutN2)];
    const late = await healthsAfter(...before, ...withoutN2(7));
    assert.deepEqual(codesOf(late.at(-1)), []);
    const inTime = await healthsAfter(...before, ...withoutN2(6));
    assert.deepEqual(codesOf(inTime.at(-1)), ['node_silent']);
  });

  it('costs nothing any more once it answers', async () => {
    const healths = await healthsAfter(...well(1), ...minutes(2, 5).flatMap(withoutN2), ...well(6));
    assert.equal(healths.at(-1)?.score, 100);
    assert.equal(missingOf(healths.at(-1), 'nodes that did not answer'), undefined);
  });
});

describe('a node that leaves while another does not answer', () => {
  const hot = minutes(1, 5).flatMap((minute) =>
    cycle(minute, { id: 'n1' }, { id: 'n2', heap: 97 }, { id: 'n3', heap: 97 }),
  );
  /** From minute 6 on n2 hangs, and from minute 9 on n3 is gone; or the other way round: nobody can tell. */
  const doubtful = (to: number) => [
    ...minutes(6, 8).flatMap((minute) => answered(minute, ['n1', 'n3'], 1)),
    ...minutes(9, to).flatMap((minute) => answered(minute, ['n1'], 1)),
  ];

  const leftIn = (health: ClusterHealth | undefined): string | undefined =>
    health?.deductions.find(({ code }) => code === 'node_left')?.reason;

  it('is evaluated by its last report for 15 minutes, and so is the other, whichever of them has left', async () => {
    const healths = await healthsAfter(...hot, ...doubtful(9));
    const last = healths.at(-1);
    assert.deepEqual(codesOf(healths.at(-3)), ['heap_critical', 'node_silent']);
    assert.deepEqual(codesOf(last), ['heap_critical', 'node_left']);
    assert.match(
      missingOf(last, 'nodes that may have left') ?? '',
      /^one of node-n2 and node-n3 has left.* each of them is evaluated by its last report$/,
    );
  });

  it('is no longer evaluated after that, nor is the other, as it is unknown which of them has left', async () => {
    const healths = await healthsAfter(...hot, ...doubtful(24));
    const evaluated = healths.filter((health) => codesOf(health).includes('heap_critical'));
    assert.equal(Math.floor((evaluated.at(-1)?.at ?? 0) / 60_000), 22);
    const last = healths.at(-1);
    assert.deepEqual(codesOf(last), ['node_silent']);
    const left = healths.findLast((health) => codesOf(health).includes('node_left'));
    assert.match(leftIn(left) ?? '', /^1 node left .*: one of node-n2 and node-n3\. /);
    assert.match(
      missingOf(last, 'nodes that may have left') ?? '',
      /^one of node-n2 and node-n3 has left.* none of them is evaluated/,
    );
    assert.match(missingOf(last, 'nodes that did not answer') ?? '', /^1 node of 2 did not answer \(one of/);
  });

  it("does not keep the other's silence from being counted, as that of one of the two", async () => {
    const healths = await healthsAfter(...hot, ...doubtful(12));
    const silent = healths.at(-1)?.deductions.find(({ code }) => code === 'node_silent');
    assert.equal(silent?.points, 10);
    assert.match(silent.reason, /^1 node is .*\(one of node-n2 and node-n3\)/);
  });

  it('is counted once, at the time it left, even if its name is known only later', async () => {
    const late = await healthsAfter(...hot, ...doubtful(40), ...answered(41, ['n1', 'n2'], 0));
    assert.ok(!late.slice(-20).some((health) => codesOf(health).includes('node_left')));
    const soon = await healthsAfter(...hot, ...doubtful(12), ...answered(13, ['n1', 'n2'], 0));
    assert.match(leftIn(soon.at(-1)) ?? '', /^1 node left .*: node-n3\. /);
  });

  it('is neither reported as gone nor evaluated if the agent covers only some of the nodes', async () => {
    const cut = (minute: number, ids: readonly string[]) => [
      snapshot(
        'nodes',
        minute,
        {
          ...nodesBody(...ids.map((id) => ({ id, heap: 97 }))),
          nodes_total: 9,
          nodes_failed: 1,
          nodes_cut: 5,
        },
        { partial: true },
      ),
      snapshot('health', minute, healthBody({ nodes: 9, data_nodes: 9 })),
    ];
    const healths = await healthsAfter(
      ...minutes(1, 5).flatMap((minute) => cut(minute, ['n1', 'n2', 'n3'])),
      ...cut(6, ['n1']),
    );
    const last = healths.at(-1);
    assert.ok(!codesOf(last).includes('node_left'));
    assert.match(
      last?.deductions.find(({ code }) => code === 'heap_critical')?.reason ?? '',
      /^The heap of node-n1 was /,
    );
    assert.match(missingOf(last, 'nodes that may have left') ?? '', /node-n2 and node-n3/);
  });
});

describe('nodes beyond the limit of an agent', () => {
  it('are listed as not measured', async () => {
    const healths = await healthsAfter(
      snapshot('nodes', 1, { ...nodesBody({ id: 'n1' }), nodes_total: 300, nodes_cut: 100 }),
      snapshot('health', 1, healthBody({ nodes: 300 })),
    );
    assert.match(missingOf(healths.at(-1), 'nodes beyond the limit') ?? '', /100 nodes of 300/);
  });
});
