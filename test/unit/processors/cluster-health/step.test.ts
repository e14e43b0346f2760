import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ClusterSnapshot } from '../../../../schemas/generated/cluster-snapshot.js';
import { healthBody, nodesBody, snapshot, SteppedCluster } from '../../../support/cluster-snapshots.js';
import { healthsOf } from '../../../support/health-records.js';

const kinds = (cluster: SteppedCluster): string[] => cluster.outcomes.map(({ kind }) => kind);

async function stepped(...values: readonly ClusterSnapshot[]): Promise<SteppedCluster> {
  const cluster = new SteppedCluster();
  for (const value of values) await cluster.run([value]);
  return cluster;
}

/** Any history of a cluster: queries, nodes that restart or hang, pausing agents, and two agents per slot. */
const anyLog: fc.Arbitrary<ClusterSnapshot[]> = fc
  .array(
    fc.record({
      grow: fc.nat({ max: 500 }),
      restart: fc.boolean(),
      tripped: fc.nat({ max: 2 }),
      status: fc.constantFrom('green', 'yellow', 'red'),
      twice: fc.boolean(),
      silent: fc.boolean(),
      master: fc.constantFrom('n1', 'n1', 'n2', null),
      after: fc.constantFrom(1, 1, 1, 5, 600),
    }),
    { minLength: 1, maxLength: 8 },
  )
  .map((minutes) => {
    let queries = 0;
    let start = 1;
    let minute = 0;
    return minutes.flatMap(({ grow, restart, tripped, status, twice, silent, master, after }) => {
      minute += after;
      if (restart) start += 1;
      queries = restart ? grow : queries + grow;
      const nodes = snapshot(
        'nodes',
        minute,
        silent
          ? { ...nodesBody({ queries, start, tripped }), nodes_total: 2, nodes_failed: 1 }
          : nodesBody({ queries, start, tripped }, { id: 'n2', queries: minute }),
        { partial: silent },
      );
      const health = snapshot(
        'health',
        minute,
        healthBody({ status, unassigned_shards: status === 'green' ? 0 : 2, master_node_id: master }),
      );
      return [nodes, ...(twice ? [{ ...nodes, collection: 'agent-two' }, nodes] : []), health];
    });
  });

describe('the step over cluster snapshots', () => {
  it('derives rates and latencies from two snapshots of one incarnation', async () => {
    const cluster = await stepped(
      snapshot('nodes', 0, nodesBody({ queries: 100 })),
      snapshot('nodes', 1, nodesBody({ queries: 220 })),
    );
    const [first, second] = cluster.rows('clusters.nodes');
    assert.equal(first?.['queries_per_second'], undefined);
    assert.equal(first?.['gap'], 'first snapshot');
    assert.equal(second?.['queries_per_second'], 2);
    assert.equal(second['query_latency_ms'], 3);
    assert.equal(second['gap'], undefined);
    assert.deepEqual(second['thread_pools.completed_per_second'], [2]);
  });

  it('turns a restart into a gap, not into a trip or a rejection', async () => {
    const cluster = await stepped(
      snapshot('nodes', 0, nodesBody({ queries: 100, tripped: 5, rejected: 7 })),
      snapshot('nodes', 1, nodesBody({ queries: 900, start: 2, tripped: 6, rejected: 9 })),
      snapshot('health', 1, healthBody()),
    );
    const second = cluster.rows('clusters.nodes').at(1);
    assert.equal(second?.['restarted'], true);
    assert.equal(second['gap'], 'restarted');
    assert.equal(second['queries_per_second'], undefined);
    assert.deepEqual(
      healthsOf(cluster)
        .at(-1)
        ?.deductions.map(({ code }) => code),
      ['node_restarted'],
    );
  });

  it('turns a counter that fell or was not reported into a gap', async () => {
    const cluster = await stepped(
      snapshot('nodes', 0, nodesBody({ queries: 100 })),
      snapshot('nodes', 1, nodesBody({ queries: 90 })),
      snapshot('nodes', 2, nodesBody({ queries: null })),
      snapshot('nodes', 3, nodesBody({ queries: 120 })),
    );
    assert.deepEqual(
      cluster.rows('clusters.nodes').map((row) => row['queries_per_second']),
      [undefined, undefined, undefined, undefined],
    );
  });

  it('reports growth only between answers of all nodes', async () => {
    const stats = (minute: number, docs_count: number, partial = false) =>
      snapshot('cluster_stats', minute, { docs_count, store_bytes: docs_count }, { partial });
    const cluster = await stepped(stats(0, 600), stats(1, 300, true), stats(2, 720));
    assert.deepEqual(
      cluster.rows('clusters.overview').map((row) => row['docs_growth_per_second']),
      [undefined, undefined, 1],
    );
  });

  it('counts a slot once, whoever sends it again, and drops older ones', async () => {
    const nodes = snapshot('nodes', 5, nodesBody({ queries: 1 }));
    const cluster = await stepped(
      nodes,
      { ...nodes, collection: 'agent-two' },
      nodes,
      snapshot('nodes', 4, nodesBody({ queries: 1 })),
    );
    assert.deepEqual(kinds(cluster), ['emit', 'drop', 'drop', 'drop']);
    assert.equal(cluster.rows('clusters.nodes').length, 1);
  });

  it('keeps the clusters of two workspaces apart, even if they are the same cluster', async () => {
    const cluster = await stepped(
      snapshot('nodes', 0, nodesBody({ queries: 100 })),
      snapshot('nodes', 1, nodesBody({ queries: 160 }), { workspace: 'another' }),
    );
    assert.equal(cluster.rows('clusters.nodes').at(1)?.['gap'], 'first snapshot');
  });

  it('dead-letters a snapshot whose body is invalid', async () => {
    const cluster = await stepped(snapshot('nodes', 0, { nodes: 'three' }));
    assert.deepEqual(kinds(cluster), ['dead-letter']);
  });

  it('says that a node left only after a whole answer without it', async () => {
    const both = nodesBody({ id: 'n1' }, { id: 'n2' });
    const one = nodesBody({ id: 'n1' });
    const cluster = await stepped(
      snapshot('nodes', 0, both),
      snapshot('nodes', 1, { ...one, nodes_failed: 1 }, { partial: true }),
      snapshot('health', 1, healthBody()),
      snapshot('nodes', 2, one),
      snapshot('health', 2, healthBody()),
    );
    const codes = healthsOf(cluster).map(({ deductions }) => deductions.map(({ code }) => code));
    assert.deepEqual(codes.at(-3), []);
    assert.deepEqual(codes.at(-1), ['node_left']);
  });

  it('applies the 2-point rule to a single node, and not to one that used to be one of several', async () => {
    const yellow = { status: 'yellow', unassigned_shards: 2 };
    const single = await stepped(snapshot('health', 0, healthBody(yellow)));
    assert.equal(healthsOf(single)[0]?.score, 98);
    const left = await stepped(
      snapshot('health', 0, healthBody({ data_nodes: 3 })),
      snapshot('health', 60, healthBody(yellow)),
    );
    assert.equal(healthsOf(left).at(-1)?.score, 75);
  });

  it('lists what could not be measured with the reason of the agent', async () => {
    const cluster = await stepped(
      snapshot('capabilities', 0, {
        sections: [{ section: 'nodes', state: 'forbidden', privilege: 'monitor' }],
      }),
      snapshot('health', 0, healthBody()),
    );
    const listed = healthsOf(cluster).at(-1)?.not_measured ?? [];
    assert.match(
      listed.find(({ what }) => what === 'heap use')?.reason ?? '',
      /privilege monitor is missing/,
    );
  });

  it('gives the same result however its log is cut into runs, wherever a process dies or a transaction is lost', async () => {
    const accident = fc.constantFrom('none', 'restart', 'acquisition', 'lost', 'lost and restart');
    await fc.assert(
      fc.asyncProperty(
        anyLog,
        fc.infiniteStream(fc.tuple(fc.integer({ min: 1, max: 6 }), accident)),
        async (log, cuts) => {
          const straight = await stepped(...log);
          const troubled = new SteppedCluster();
          for (let from = 0; from < log.length;) {
            const [length, what] = cuts.next().value as [number, string];
            const run = log.slice(from, from + length);
            if (what.startsWith('lost')) await troubled.run(run, { lost: true });
            if (what.endsWith('restart')) troubled.restart();
            if (what === 'acquisition') troubled.reacquire();
            await troubled.run(run);
            from += run.length;
          }
          assert.deepEqual(troubled.emitted(), straight.emitted());
        },
      ),
      { numRuns: 25 },
    );
  });
});
