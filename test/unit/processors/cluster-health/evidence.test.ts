import assert from 'node:assert/strict';
import {
  healthBody,
  nodeBody,
  nodesBody,
  snapshot,
  SteppedCluster,
} from '../../../support/cluster-snapshots.js';
import { codesOf, healthsAfter, missingOf } from '../../../support/health-records.js';

const yellow = { status: 'yellow', unassigned_shards: 2 };
const shards = (minute: number, reason: string) =>
  snapshot('shards', minute, {
    shards_total: 4,
    unassigned: 2,
    shards: [0, 1].map((shard) => ({
      index: 'books',
      shard,
      primary: false,
      state: 'UNASSIGNED',
      unassigned_reason: reason,
    })),
  });
const explained = (minute: number, reason: string) =>
  snapshot('allocation_explain', minute, {
    unassigned: 2,
    explanations: [
      { index: 'books', shard: 0, primary: false, unassigned_reason: reason, shards_in_group: 2 },
    ],
  });
const minutes = (count: number): number[] => Array.from({ length: count }, (_, minute) => minute);

describe('the rule of a single data node', () => {
  it('is not applied until it is known that no other node was lost; this is listed as not measured', async () => {
    const [first] = await healthsAfter(snapshot('health', 0, healthBody({ ...yellow, nodes: 4 })));
    assert.deepEqual(codesOf(first), ['replicas_unassigned']);
    assert.equal(first?.score, 98);
    assert.match(missingOf(first, 'lost data nodes') ?? '', /why the shards are unassigned is not collected/);
  });

  it('is applied if the shards say that no other node held them', async () => {
    const healths = await healthsAfter(shards(0, 'INDEX_CREATED'), snapshot('health', 0, healthBody(yellow)));
    assert.deepEqual(codesOf(healths.at(-1)), ['yellow_single_node']);
    assert.equal(missingOf(healths.at(-1), 'lost data nodes'), undefined);
  });

  it('is not applied if only the explanations say that a node left', async () => {
    const healths = await healthsAfter(
      explained(0, 'NODE_LEFT'),
      snapshot('health', 0, healthBody({ ...yellow, nodes: 4 })),
    );
    assert.equal(healths.at(-1)?.score, 75);
  });

  it('is not applied to a recovered cluster that has not been green since it had others, however long ago', async () => {
    const day = 24 * 60;
    const late = (minute: number) => [
      shards(minute, 'CLUSTER_RECOVERED'),
      snapshot('health', minute, healthBody(yellow)),
    ];
    const lost = await healthsAfter(
      snapshot('health', 0, healthBody({ data_nodes: 2 })),
      ...late(1),
      ...late(day + 120),
    );
    assert.equal(lost.at(-1)?.score, 75);
    const shrunk = await healthsAfter(
      snapshot('health', 0, healthBody({ data_nodes: 2 })),
      snapshot('health', 1, healthBody()),
      ...late(day + 120),
    );
    assert.equal(shrunk.at(-1)?.score, 98);
  });

  it('is applied a day after it had others if the shards say that no lost node held them', async () => {
    const hours = (count: number) => count * 60;
    const scoreAfter = async (
      hour: number,
      ...told: readonly string[]
    ): Promise<number | null | undefined> => {
      const healths = await healthsAfter(
        snapshot('health', 0, healthBody({ data_nodes: 2 })),
        ...told.map((reason, index) => shards(hours(hour) + index, reason)),
        snapshot('health', hours(hour) + told.length, healthBody(yellow)),
      );
      return healths.at(-1)?.score;
    };
    assert.equal(await scoreAfter(23, 'INDEX_CREATED'), 75);
    assert.equal(await scoreAfter(26, 'INDEX_CREATED'), 98);
    assert.equal(await scoreAfter(26, 'REPLICA_ADDED'), 98);
    assert.equal(await scoreAfter(26), 75);
    for (const reason of ['NODE_LEFT', 'NODE_RESTARTING', 'UNKNOWN', 'CLUSTER_RECOVERED']) {
      assert.equal(await scoreAfter(26, reason), 75, reason);
    }
  });

  it('is not applied after a day-old loss if some shards are beyond the limit of the listing', async () => {
    const of = shards(26 * 60, 'INDEX_CREATED');
    const body = { ...(JSON.parse(of.body) as object), unassigned: 3 };
    const healths = await healthsAfter(
      snapshot('health', 0, healthBody({ data_nodes: 2 })),
      { ...of, body: JSON.stringify(body) },
      snapshot('health', 26 * 60, healthBody({ ...yellow, unassigned_shards: 3 })),
    );
    assert.equal(healths.at(-1)?.score, 75);
  });

  it('says, if it is not applied, what to do if the other nodes are lost permanently', async () => {
    const healths = await healthsAfter(
      snapshot('health', 0, healthBody({ data_nodes: 2 })),
      snapshot('health', 1, healthBody(yellow)),
    );
    assert.match(healths.at(-1)?.deductions[0]?.reason ?? '', /lost permanently.*number_of_replicas.* 0/);
  });

  it('is applied even if a node that held no shards has just left', async () => {
    const leaving = async (roles: readonly string[] | null) => {
      const other = { ...nodeBody({ id: 'n2' }), roles };
      const healths = await healthsAfter(
        snapshot('nodes', 0, { ...nodesBody(), nodes_total: 2, nodes: [nodeBody(), other] }),
        snapshot('nodes', 1, nodesBody({})),
        shards(1, 'INDEX_CREATED'),
        snapshot('health', 1, healthBody(yellow)),
      );
      return codesOf(healths.at(-1)).toSorted();
    };
    const told = [[], ['master'], ['ingest', 'ml']];
    for (const roles of told) assert.deepEqual(await leaving(roles), ['node_left', 'yellow_single_node']);
    for (const roles of [['data_hot'], null]) {
      assert.deepEqual(await leaving(roles), ['node_left', 'replicas_unassigned']);
    }
  });

  it('is evaluated in the same way if it is unknown which node has left', async () => {
    const leaving = async (roles: readonly string[]) => {
      const others = ['n2', 'n3'].map((id) => ({ ...nodeBody({ id }), roles }));
      const healths = await healthsAfter(
        snapshot('nodes', 0, { ...nodesBody(), nodes_total: 3, nodes: [nodeBody(), ...others] }),
        snapshot('nodes', 1, { ...nodesBody({}), nodes_total: 2, nodes_failed: 1 }, { partial: true }),
        shards(1, 'INDEX_CREATED'),
        snapshot('health', 1, healthBody(yellow)),
      );
      return codesOf(healths.at(-1)).toSorted();
    };
    assert.deepEqual(await leaving(['master']), ['node_left', 'yellow_single_node']);
    assert.deepEqual(await leaving(['data']), ['node_left', 'replicas_unassigned']);
  });
});

describe('disks', () => {
  const full = (but: object) => ({
    ...nodesBody(),
    nodes: [
      {
        ...nodeBody(),
        data_paths: [{ path: '/data', total_bytes: 1_000, available_bytes: 30 }],
        ...but,
      },
    ],
  });
  const diskCodes = async (but: object): Promise<string[]> => {
    const healths = await healthsAfter(snapshot('nodes', 0, full(but)), snapshot('health', 0, healthBody()));
    return codesOf(healths.at(-1)).filter((code) => code.startsWith('disk'));
  };

  it('are not evaluated for a node that only coordinates', async () => {
    assert.deepEqual(await diskCodes({ roles: [] }), []);
    assert.deepEqual(await diskCodes({ roles: ['data_hot'] }), ['disk_flood_stage']);
  });

  it('are listed as not measured for a node that holds shards and does not report them', async () => {
    const nodes = [nodeBody(), { ...nodeBody({ id: 'n2' }), data_paths: [] }];
    const healths = await healthsAfter(
      snapshot('nodes', 0, { ...nodesBody(), nodes }),
      snapshot('health', 0, healthBody()),
    );
    assert.equal(missingOf(healths.at(-1), 'disk space'), 'not reported by node-n2');
  });

  it('are evaluated for a node whose roles are not given', async () => {
    assert.deepEqual(await diskCodes({ roles: undefined }), ['disk_flood_stage']);
  });
});

describe('a node whose incarnation is not known', () => {
  const of = (minute: number, but: object) =>
    snapshot('nodes', minute, { ...nodesBody(), nodes: [{ ...nodeBody({ heap: 97 }), ...but }] });

  it('is still evaluated by its heap, and is listed under what needs its counters', async () => {
    const unknown = { incarnation: null, jvm_started_at: null };
    const healths = await healthsAfter(
      ...minutes(5).flatMap((minute) => [
        of(minute, { ...unknown, uptime_ms: 1_000_000 + minute * 60_000 }),
        snapshot('health', minute, healthBody()),
      ]),
    );
    const last = healths.at(-1);
    assert.deepEqual(codesOf(last), ['heap_critical']);
    assert.match(missingOf(last, 'circuit breaker trips') ?? '', /node-n1/);
    assert.match(missingOf(last, 'thread pool rejections') ?? '', /node-n1/);
  });

  it('is known to have restarted if its uptime fell', async () => {
    const cluster = new SteppedCluster();
    await cluster.run([
      of(0, { incarnation: null, uptime_ms: 1_000_000 }),
      of(1, { incarnation: null, uptime_ms: 1_060_000 }),
      of(2, { incarnation: null, uptime_ms: 20_000 }),
    ]);
    assert.deepEqual(
      cluster.rows('clusters.nodes').map(({ restarted }) => restarted),
      [undefined, undefined, true],
    );
  });

  it('has only one gap if the snapshots around it are of the same incarnation', async () => {
    const cluster = new SteppedCluster();
    await cluster.run([
      snapshot('nodes', 0, nodesBody({ queries: 60 })),
      of(1, { incarnation: null, operations: { queries_total: 120 } }),
      snapshot('nodes', 2, nodesBody({ queries: 240 })),
    ]);
    assert.deepEqual(
      cluster.rows('clusters.nodes').map(({ gap }) => gap),
      ['first snapshot', 'incarnation unknown', undefined],
    );
    assert.equal(cluster.rows('clusters.nodes').at(2)?.['queries_per_second'], 2);
  });
});

describe('what was counted while no agent looked', () => {
  it("is in the node's row, and does not count against its latest samples", async () => {
    const cluster = new SteppedCluster();
    await cluster.run([
      snapshot('nodes', 0, nodesBody({ tripped: 0, rejected: 0 })),
      snapshot('nodes', 600, nodesBody({ tripped: 3, rejected: 5 })),
    ]);
    assert.deepEqual(cluster.rows('clusters.nodes').at(1)?.['circuit_breakers.trips'], [3]);
    const healths = await healthsAfter(
      snapshot('nodes', 0, nodesBody({ tripped: 0, rejected: 0 })),
      snapshot('nodes', 600, nodesBody({ tripped: 3, rejected: 5 })),
      snapshot('health', 600, healthBody()),
    );
    assert.deepEqual(codesOf(healths.at(-1)), []);
    assert.match(missingOf(healths.at(-1), 'circuit breaker trips') ?? '', /node-n1/);
  });
});

describe('what is listed as not measured', () => {
  it('includes what needs the nodes and the master if those were not read', async () => {
    const [health] = await healthsAfter(
      snapshot('health', 0, healthBody({ master_node_id: null, no_master: false })),
    );
    for (const what of ['nodes that left', 'restarts', 'master changes']) {
      assert.ok(missingOf(health, what) !== undefined, what);
    }
  });

  it('includes pools and breakers that a node does not report', async () => {
    const bare = { ...nodeBody(), thread_pools: [], circuit_breakers: [] };
    const healths = await healthsAfter(
      snapshot('nodes', 0, { ...nodesBody(), nodes: [bare] }),
      snapshot('health', 0, healthBody()),
    );
    assert.equal(missingOf(healths.at(-1), 'thread pools'), 'not reported by node-n1');
    assert.equal(missingOf(healths.at(-1), 'circuit breakers'), 'not reported by node-n1');
  });

  it('includes the replicas of a red cluster that does not count its shards', async () => {
    const [health] = await healthsAfter(
      snapshot(
        'health',
        0,
        healthBody({ status: 'red', unassigned_shards: null, unassigned_primaries: null }),
      ),
    );
    assert.match(missingOf(health, 'replica shards') ?? '', /how many shards are unassigned/);
  });

  it('includes a figure that a node reported only now and then', async () => {
    const heap = (minute: number) => ({
      ...nodeBody({ heap: 97 }),
      ...(minute === 3 ? { heap_used_percent: null, heap_used_bytes: null } : {}),
    });
    const healths = await healthsAfter(
      ...minutes(5).flatMap((minute) => [
        snapshot('nodes', minute, { ...nodesBody(), nodes: [heap(minute)] }),
        snapshot('health', minute, healthBody()),
      ]),
    );
    assert.equal(missingOf(healths.at(-1), 'heap use'), 'missing from some of the last samples of node-n1');
  });
});
