import assert from 'node:assert/strict';
import { nodeBody, nodesBody, snapshot, SteppedCluster } from '../../../../support/cluster-snapshots.js';

type Columns = Readonly<Record<string, unknown>>;

const derived = /_per_second$|_latency_ms$|_share$|_rejections$|interval_seconds_measured/;
/** Leaves out growth, which comes from gauges. A nested column has one null per element. */
const measured = (row: Columns | undefined): readonly string[] =>
  Object.entries(row ?? {})
    .filter(([column]) => derived.test(column) && !column.includes('growth'))
    .filter(([, value]) => !(Array.isArray(value) && value.every((each) => each === null)))
    .map(([column]) => column);

async function indexRows(...totals: readonly { total: Columns; primary?: Columns }[]): Promise<Columns[]> {
  const cluster = new SteppedCluster();
  await cluster.run(
    totals.map(({ total, primary = {} }, minute) =>
      snapshot('indices', minute, {
        indices: [{ index: 'books', uuid: 'i1', incarnation: 'here', total, primary }],
      }),
    ),
  );
  return cluster.rows('clusters.indices');
}

async function nodeRows(...nodes: readonly object[]): Promise<Columns[]> {
  const cluster = new SteppedCluster();
  await cluster.run(
    nodes.map((but, minute) =>
      snapshot('nodes', minute, { ...nodesBody(), nodes: [{ ...nodeBody(), ...but }] }),
    ),
  );
  return cluster.rows('clusters.nodes');
}

describe('counters that were set back while their incarnation stayed', () => {
  it("make an index's whole interval a gap, as counters that have since overtaken their old value restarted too", async () => {
    const rows = await indexRows(
      { total: { indexing_total: 5_000, queries_total: 100, fetches_total: 50 } },
      { total: { indexing_total: 10, queries_total: 100, fetches_total: 60 } },
      { total: { indexing_total: 70, queries_total: 160, fetches_total: 60 } },
    );
    assert.equal(rows[1]?.['gap'], 'counters were set back');
    assert.deepEqual(measured(rows[1]), []);
    assert.deepEqual([rows[2]?.['gap'], rows[2]?.['queries_per_second']], [undefined, 1]);
  });

  it('can also be those of the primaries', async () => {
    const rows = await indexRows(
      { total: { queries_total: 100 }, primary: { flushes_total: 9 } },
      { total: { queries_total: 160 }, primary: { flushes_total: 2 } },
    );
    assert.equal(rows[1]?.['gap'], 'counters were set back');
    assert.deepEqual(measured(rows[1]), []);
  });

  it("make a node's whole interval a gap, whichever counter fell", async () => {
    const pools = (completed: number) => ({
      thread_pools: [{ pool: 'write', completed, rejected: 4 }],
      operations: { queries_total: 7 },
    });
    const rows = await nodeRows(pools(60), pools(50), pools(110));
    assert.equal(rows[1]?.['gap'], 'counters were set back');
    assert.equal(rows[1]['restarted'], false);
    assert.deepEqual(measured(rows[1]), []);
    assert.deepEqual([rows[2]?.['gap'], rows[2]?.['thread_pools.completed_per_second']], [undefined, [1]]);
  });

  it("are not assumed if a node's caches only lose the counts of a departed shard", async () => {
    const rows = await nodeRows(
      { operations: { queries_total: 60, query_cache_hits: 90 } },
      { operations: { queries_total: 120, query_cache_hits: 10 } },
    );
    assert.deepEqual([rows[1]?.['gap'], rows[1]?.['queries_per_second']], [undefined, 1]);
  });
});

describe('the hit ratios of the caches of a node', () => {
  const node = (shards: number | null, hits: number, misses: number) => ({
    shards_count: shards,
    operations: { request_cache_hits: hits, request_cache_misses: misses, queries_total: hits },
  });
  const ratio = async (...nodes: readonly object[]): Promise<unknown> =>
    (await nodeRows(...nodes))[1]?.['request_cache_hit_ratio'] ?? null;

  it('are those of the present shards, even if one was added', async () => {
    assert.equal(await ratio(node(2, 100, 90), node(2, 1_050, 100)), 950 / 960);
    assert.equal(await ratio(node(2, 100, 90), node(3, 1_050, 100)), 950 / 960);
  });

  it('are unknown if a shard left, as its hits and misses are gone from the sums', async () => {
    assert.equal(await ratio(node(2, 1_000, 100), node(1, 1_050, 100)), null);
    assert.equal(await ratio(node(2, 1_000, 100), node(2, 1_050, 90)), null);
  });

  it('are unknown if the version does not report how many shards the node holds', async () => {
    assert.equal(await ratio(node(null, 100, 90), node(null, 1_050, 100)), null);
  });
});
