import assert from 'node:assert/strict';
import { seededCluster } from '../../../bench/screenshots/seed-cluster.js';
import {
  formatBytes,
  formatMillis,
  formatNumber,
  formatPercent,
} from '../../../dashboard/src/shared/format.js';
import { cellsOf } from './cells.js';
import type { Stage } from './stage.js';
import { visit } from './visit.js';

interface StoredNode {
  readonly roles: readonly string[];
  readonly counts: readonly (number | null)[];
  readonly shares: readonly (number | null)[];
  readonly times: readonly (number | null)[];
}
interface StoredIndex {
  readonly index: string;
  readonly store: number | null;
  readonly copies: string;
  readonly counts: readonly (number | null)[];
  readonly latency: number | null;
  readonly slow: string;
}
interface StoredTask {
  readonly kind: string;
  readonly running_ms: number | null;
  readonly progress_ratio: number | null;
  readonly task_id: string;
}
interface StoredPending {
  readonly source: string;
  readonly queued_ms: number;
  readonly priority: string;
  readonly state: string;
}
interface StoredRecovery {
  readonly shard: string;
  readonly percent: number;
  readonly recovered: number;
  readonly total: number;
  readonly took: number;
}

/** Other tests also use a cluster with this id. */
export const seeded = `workspace = 'dashboard' AND cluster_uuid = '${seededCluster}'`;

/** The rows of the newest snapshot that has rows with this property. */
export const latest = (table: string, which = 'true'): string =>
  `${seeded} AND ${which} AND slot = (SELECT max(slot) FROM telltale.${table} WHERE ${seeded} AND ${which})`;

/** The lists of the seeded cluster, which lost a node and is red, show what ClickHouse has. */
export function clusterLists(stage: () => Stage): void {
  const page = () => stage().signedIn.page;
  const query = <Row>(sql: string): Promise<readonly Row[]> => stage().pipeline.query<Row>(sql);
  const sortedCells = async (table: string, columns: readonly number[]): Promise<readonly string[]> =>
    [...(await cellsOf(page(), table, columns))].sort();
  const sorted = (rows: readonly { readonly row: readonly string[] }[]): readonly string[] =>
    rows.map(({ row }) => row.join('|')).sort();

  it('lists the nodes and the indices that ClickHouse has', async () => {
    const nodes = await query<StoredNode>(
      `SELECT roles, arrayMap(one -> toFloat64(one), [shards_count, queries_per_second, indexed_per_second]) AS counts,
         arrayMap(one -> toFloat64(one), [process_cpu_percent / 100, gc_share]) AS shares,
         arrayMap(one -> toFloat64(one), [query_latency_ms, uptime_ms]) AS times
       FROM telltale.cluster_nodes WHERE ${latest('cluster_nodes')}`,
    );
    assert.ok(nodes.length > 0);
    await visit(stage(), `/clusters/${seededCluster}/nodes`);
    const shownNodes = nodes.map(({ roles, counts, shares: [cpu, gc], times }) => {
      const [shards, queries, indexed] = counts.map(formatNumber);
      const [latency, uptime] = times.map(formatMillis);
      const figures = [formatPercent(cpu), shards, queries, latency, indexed, formatPercent(gc, 1), uptime];
      return [roles.join(', '), ...figures].join('|');
    });
    assert.deepEqual(await sortedCells('Nodes', [1, 4, 5, 6, 7, 8, 9, 10]), shownNodes.sort());

    const indices = await query<StoredIndex>(
      `SELECT \`index\`, toFloat64(store_bytes) AS store, concat(toString(primaries), ' × ', toString(replicas + 1)) AS copies,
         arrayMap(one -> toFloat64(one), [docs_count, queries_per_second, indexed_per_second]) AS counts,
         query_latency_ms AS latency,
         arrayStringConcat(arrayConcat(if(slow_search, ['searches'], []), if(slow_indexing, ['indexing'], [])), ', ') AS slow
       FROM telltale.cluster_indices WHERE ${latest('cluster_indices')}`,
    );
    assert.ok(indices.length > 0);
    await visit(stage(), `/clusters/${seededCluster}/indices`);
    const shownIndices = indices.map(({ index, store, copies, counts, latency, slow }) => {
      const [docs, queries, indexed] = counts.map(formatNumber);
      return [index, formatBytes(store), docs, copies, queries, formatMillis(latency), indexed, slow].join(
        '|',
      );
    });
    assert.deepEqual(await sortedCells('Indices', [0, 2, 3, 4, 5, 6, 7, 8]), shownIndices.sort());
  });

  it('lists the shards, the thread pools and the breakers that ClickHouse has', async () => {
    const stored = await query<{ row: string[] }>(
      `SELECT [concat(\`index\`, ' [', toString(shard), '] ', if(primary, 'primary', 'replica')), lower(state)] AS row
       FROM telltale.cluster_shards WHERE ${latest('cluster_shards')}`,
    );
    assert.ok(stored.length > 0);
    await visit(stage(), `/clusters/${seededCluster}/shards`);
    assert.deepEqual(await sortedCells('Shards', [0, 1]), sorted(stored));

    const pools = await query<{ row: string[] }>(
      `SELECT [each_pool, name, toString(each_queue), toString(each_rejected)] AS row FROM telltale.cluster_nodes
       ARRAY JOIN \`thread_pools.pool\` AS each_pool, \`thread_pools.queue\` AS each_queue,
         \`thread_pools.rejected\` AS each_rejected
       WHERE ${latest('cluster_nodes')}`,
    );
    assert.ok(pools.length > 0);
    await visit(stage(), `/clusters/${seededCluster}/pools`);
    assert.deepEqual(await sortedCells('Thread pools', [0, 1, 4, 6]), sorted(pools));
    const breakers = await query<{ row: string[] }>(
      `SELECT [each_breaker, name, toString(each_tripped)] AS row FROM telltale.cluster_nodes
       ARRAY JOIN \`circuit_breakers.breaker\` AS each_breaker, \`circuit_breakers.tripped\` AS each_tripped
       WHERE ${latest('cluster_nodes')}`,
    );
    assert.deepEqual(await sortedCells('Circuit breakers', [0, 1, 5]), sorted(breakers));
  });

  it('lists the tasks and the recoveries that ClickHouse has', async () => {
    const tasks = await query<StoredTask>(
      `SELECT kind, running_ms, progress_ratio, task_id FROM telltale.cluster_tasks
       WHERE ${latest('cluster_tasks', "section = 'tasks'")}`,
    );
    const recoveries = await query<StoredRecovery>(
      `SELECT concat(\`index\`, ' [', toString(shard), '] ', if(primary, 'primary', 'replica')) AS shard,
         bytes_percent AS percent, bytes_recovered AS recovered, bytes_total AS total, total_time_ms AS took
       FROM telltale.cluster_recoveries WHERE ${latest('cluster_recoveries')}`,
    );
    const pending = await query<StoredPending>(
      `SELECT source, queued_ms, lower(priority) AS priority, if(executing, 'being executed', 'in the queue') AS state
       FROM telltale.cluster_tasks WHERE ${latest('cluster_tasks', "section = 'pending_tasks'")}`,
    );
    assert.ok(tasks.length > 0 && recoveries.length > 0 && pending.length > 0);
    await visit(stage(), `/clusters/${seededCluster}/work`);
    const shownTasks = tasks.map(({ kind, running_ms: ms, progress_ratio: ratio, task_id: id }) =>
      [kind, formatMillis(ms), formatPercent(ratio), id].join('|'),
    );
    assert.deepEqual(await sortedCells('Long tasks', [0, 1, 2, 4]), shownTasks.sort());
    const shownPending = pending.map(({ source, queued_ms: ms, priority, state }) =>
      [source, formatMillis(ms), priority, state].join('|'),
    );
    assert.deepEqual(await sortedCells('Pending tasks', [0, 1, 2, 3]), shownPending.sort());
    const shownRecoveries = recoveries.map(({ shard, percent, recovered, total, took }) =>
      [
        ...[shard, formatPercent(percent / 100), `${formatBytes(recovered)} of ${formatBytes(total)}`],
        formatMillis(took),
      ].join('|'),
    );
    assert.deepEqual(await sortedCells('Recoveries in progress', [0, 2, 3, 5]), shownRecoveries.sort());
  });

  it('lists the data streams that ClickHouse has, the largest first', async () => {
    const stored = await query<{ name: string; indices: number; bytes: number }>(
      `SELECT each.1 AS name, each.2 AS indices, each.3 AS bytes
       FROM (
         SELECT arrayJoin(JSONExtract(ifNull(details, ''), 'data_streams',
           'Array(Tuple(data_stream String, backing_indices Float64, store_bytes Float64))')) AS each
         FROM telltale.cluster_overview WHERE ${latest('cluster_overview', "section = 'data_streams'")}
       ) ORDER BY bytes DESC`,
    );
    assert.equal(stored.length, 3);
    await visit(stage(), `/clusters/${seededCluster}/streams`);
    assert.deepEqual(
      await cellsOf(page(), 'Data streams', [0, 1, 2]),
      stored.map(({ name, indices, bytes }) => [name, formatBytes(bytes), formatNumber(indices)].join('|')),
    );
  });
}
