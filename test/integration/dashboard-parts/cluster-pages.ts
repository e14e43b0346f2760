import assert from 'node:assert/strict';
import { seededCluster } from '../../../bench/screenshots/seed-cluster.js';
import {
  formatBytes,
  formatMillis,
  formatNumber,
  formatPercent,
} from '../../../dashboard/src/shared/format.js';
import { open, read, type Stage } from './stage.js';

interface Series {
  readonly series: readonly {
    readonly name: string;
    readonly points: readonly { readonly mean: number | null }[];
  }[];
}
interface Timeline {
  readonly events: readonly { readonly at: string }[];
}
interface StoredTask {
  readonly kind: string;
  readonly running_ms: number | null;
  readonly progress_ratio: number | null;
  readonly task_id: string;
}
interface StoredRecovery {
  readonly shard: string;
  readonly percent: number;
  readonly recovered: number;
  readonly total: number;
  readonly took: number;
}

const api = `/api/v1/clusters/${seededCluster}`;
/** Other tests have a cluster of this id too. */
const seeded = `workspace = 'dashboard' AND cluster_uuid = '${seededCluster}'`;

/** The pages of the seeded cluster, which lost a node and is red: what they show is what the API answers. */
export function clusterPages(stage: () => Stage): void {
  const main = () => stage().signedIn.page.locator('main');

  const query = <Row>(sql: string): Promise<readonly Row[]> => stage().pipeline.query<Row>(sql);

  /** Cells of every row, by column; a status mark's word stands behind a sign. */
  const rowsOf = async (table: string, columns: readonly number[]): Promise<readonly string[]> => {
    const rows = main().getByRole('table', { name: table, exact: true }).locator('tbody tr');
    await rows.first().waitFor();
    return Promise.all(
      (await rows.all()).map(async (row) => {
        const texts = await row.getByRole('cell').allTextContents();
        return columns.map((column) => texts[column]?.trim() ?? '').join('|');
      }),
    );
  };
  const cellsOf = async (table: string, columns: readonly number[]): Promise<readonly string[]> =>
    [...(await rowsOf(table, columns))].sort();
  const sorted = (rows: readonly { readonly row: readonly string[] }[]): readonly string[] =>
    rows.map(({ row }) => row.join('|')).sort();

  it('says of a red cluster why, what to do, and what happened', async () => {
    await open(stage(), '/clusters');
    const { page } = stage().signedIn;
    await page.getByRole('link', { name: 'bookshop' }).click();
    await main().getByText('primaries_unassigned', { exact: true }).waitFor();
    await main().getByText('The node search-3 left the cluster.').waitFor();
    await main().getByText('The cluster went from green to red.').waitFor();
  });

  it('lists the cluster with the score that the API answers and ClickHouse has', async () => {
    const { clusters } = await read<{ clusters: { cluster_uuid: string; score: number | null }[] }>(
      stage(),
      '/api/v1/clusters',
    );
    const score = clusters.find(({ cluster_uuid: uuid }) => uuid === seededCluster)?.score;
    const [stored] = await query<{ score: number }>(
      `SELECT argMax(score, at) AS score FROM telltale.cluster_health WHERE ${seeded}`,
    );
    assert.equal(score, stored?.score);
    await open(stage(), '/clusters');
    const row = main().getByRole('row', { name: /^bookshop red/ });
    assert.equal(await row.getByRole('cell').nth(2).textContent(), String(score));
  });

  it('draws figures over time as the API has them, with the watermarks', async () => {
    const { page } = stage().signedIn;
    const answer = page.waitForResponse((response) => response.url().includes('/series'));
    await open(stage(), `/clusters/${seededCluster}/nodes?figure=fs_used_ratio&last=3h`);
    const { series } = (await (await answer).json()) as Series;
    assert.deepEqual(series.map(({ name }) => name).sort(), ['search-1', 'search-2', 'search-3']);
    const [first] = series;
    const known = (first?.points ?? []).flatMap(({ mean }) => mean ?? []);
    const drawn = page.getByRole('img', { name: /^Disk used, the mean/ });
    const label = (await drawn.getAttribute('aria-label')) ?? '';
    assert.ok(
      label.includes(
        `${first?.name ?? ''}: ${known.length} samples, lowest ${Math.min(...known)}, highest ${Math.max(...known)}`,
      ),
      label,
    );
    assert.match(label, /low watermark at 85 %/);
    const [stored] = await query<{ highest: number }>(
      `SELECT max(fs_used_ratio) AS highest FROM telltale.cluster_nodes WHERE ${seeded} AND name = '${first?.name ?? ''}'`,
    );
    assert.ok(Math.max(...known) <= (stored?.highest ?? 0));
  });

  it('groups unassigned shards by their cause, and filters the list by a click', async () => {
    const { page } = stage().signedIn;
    await open(stage(), `/clusters/${seededCluster}/shards`);
    await main().getByText('Bring search-3 back: it has the only copy.', { exact: false }).first().waitFor();
    await main().getByRole('button', { name: 'reviews' }).first().click();
    await page.waitForURL(/index=reviews/);
    await main()
      .getByRole('row', { name: /orders/ })
      .first()
      .waitFor({ state: 'detached' });
    const { total } = await read<{ total: number }>(stage(), `${api}/shards?index=reviews&state=UNASSIGNED`);
    await main().getByText(`${total} of ${total}`, { exact: true }).waitFor();
  });

  const latest = (table: string, which = 'true'): string =>
    `${seeded} AND ${which} AND slot = (SELECT max(slot) FROM telltale.${table} WHERE ${seeded} AND ${which})`;

  it('shows the totals that ClickHouse has', async () => {
    const [health] = await query<{ master: string; counts: (number | null)[]; wait: number | null }>(
      `SELECT master_node AS master, pending_tasks_max_wait_ms AS wait, arrayMap(one -> toFloat64(one),
         [nodes, data_nodes, active_shards, unassigned_shards, unassigned_primaries, pending_tasks]) AS counts
       FROM telltale.cluster_overview WHERE ${latest('cluster_overview', "section = 'health'")}`,
    );
    const [stats] = await query<{ counts: (number | null)[]; bytes: (number | null)[] }>(
      `SELECT arrayMap(one -> toFloat64(one), [indices, docs_count]) AS counts,
         arrayMap(one -> toFloat64(one), [store_bytes, fs_available_bytes]) AS bytes
       FROM telltale.cluster_overview WHERE ${latest('cluster_overview', "section = 'cluster_stats'")}`,
    );
    const [traffic] = await query<{ rates: number[] }>(
      `SELECT [sum(queries_per_second), sum(indexed_per_second)] AS rates
       FROM telltale.cluster_nodes WHERE ${latest('cluster_nodes')}`,
    );
    assert.ok(health && stats && traffic);
    await open(stage(), `/clusters/${seededCluster}`);
    const shown = main().getByRole('region', { name: 'Totals' }).locator('dd');
    await shown.first().waitFor();
    const [nodes, dataNodes, ...shards] = health.counts.map(formatNumber);
    assert.deepEqual(await shown.allTextContents(), [
      ...[nodes, dataNodes, health.master, ...shards, formatMillis(health.wait)],
      ...[...stats.counts.map(formatNumber), ...stats.bytes.map(formatBytes)],
      ...traffic.rates.map((rate) => `${formatNumber(rate)}/s`),
    ]);
  });

  it('shows what the score costs as ClickHouse has it, and what happened as the API answers it', async () => {
    // On the page of the test before.
    const [health] = await query<{ costs: string[] }>(
      `SELECT arrayMap((points, reason, category, code) -> concat('−', toString(points), reason, category, ' · ', code),
         deductions.points, deductions.reason, deductions.category, deductions.code) AS costs
       FROM telltale.cluster_health WHERE ${seeded} ORDER BY at DESC LIMIT 1`,
    );
    assert.ok(health !== undefined && health.costs.length > 0);
    const verdict = main().getByRole('region', { name: 'What it costs, and what to do' });
    await verdict.locator('ol > li').first().waitFor();
    const shown = await verdict.locator('ol > li').allTextContents();
    assert.deepEqual(shown.map((text) => text.replace(/ · \d+ alone.*$/, '')).sort(), health.costs.sort());
    const { events } = await read<Timeline>(stage(), `${api}/timeline`);
    assert.ok(events.length > 0);
    const times = main()
      .getByRole('region', { name: /^What happened/ })
      .locator('ol > li > time');
    assert.deepEqual(
      await Promise.all((await times.all()).map((time) => time.getAttribute('datetime'))),
      events.map(({ at }) => at),
    );
  });

  it('lists the nodes and the indices that ClickHouse has', async () => {
    const nodes = await query<{ roles: string[]; shards: number; queries: number | null }>(
      `SELECT roles, toFloat64(shards_count) AS shards, toFloat64(queries_per_second) AS queries
       FROM telltale.cluster_nodes WHERE ${latest('cluster_nodes')}`,
    );
    assert.ok(nodes.length > 0);
    await open(stage(), `/clusters/${seededCluster}/nodes`);
    const shownNodes = nodes.map(({ roles, shards, queries }) =>
      [roles.join(', '), formatNumber(shards), formatNumber(queries)].join('|'),
    );
    assert.deepEqual(await cellsOf('Nodes', [1, 5, 6]), shownNodes.sort());

    const indices = await query<{ index: string; docs: number; store: number | null }>(
      `SELECT \`index\`, toFloat64(docs_count) AS docs, toFloat64(store_bytes) AS store
       FROM telltale.cluster_indices WHERE ${latest('cluster_indices')}`,
    );
    assert.ok(indices.length > 0);
    await open(stage(), `/clusters/${seededCluster}/indices`);
    const shownIndices = indices.map(({ index, docs, store }) =>
      [index, formatBytes(store), formatNumber(docs)].join('|'),
    );
    assert.deepEqual(await cellsOf('Indices', [0, 2, 3]), shownIndices.sort());
  });

  it('lists the shards, the thread pools and the breakers that ClickHouse has', async () => {
    const stored = await query<{ row: string[] }>(
      `SELECT [concat(\`index\`, ' [', toString(shard), '] ', if(primary, 'primary', 'replica')), lower(state)] AS row
       FROM telltale.cluster_shards WHERE ${latest('cluster_shards')}`,
    );
    assert.ok(stored.length > 0);
    await open(stage(), `/clusters/${seededCluster}/shards`);
    assert.deepEqual(await cellsOf('Shards', [0, 1]), sorted(stored));

    const pools = await query<{ row: string[] }>(
      `SELECT [each_pool, name, toString(each_queue), toString(each_rejected)] AS row FROM telltale.cluster_nodes
       ARRAY JOIN \`thread_pools.pool\` AS each_pool, \`thread_pools.queue\` AS each_queue,
         \`thread_pools.rejected\` AS each_rejected
       WHERE ${latest('cluster_nodes')}`,
    );
    assert.ok(pools.length > 0);
    await open(stage(), `/clusters/${seededCluster}/pools`);
    assert.deepEqual(await cellsOf('Thread pools', [0, 1, 4, 6]), sorted(pools));
    const breakers = await query<{ row: string[] }>(
      `SELECT [each_breaker, name, toString(each_tripped)] AS row FROM telltale.cluster_nodes
       ARRAY JOIN \`circuit_breakers.breaker\` AS each_breaker, \`circuit_breakers.tripped\` AS each_tripped
       WHERE ${latest('cluster_nodes')}`,
    );
    assert.deepEqual(await cellsOf('Circuit breakers', [0, 1, 5]), sorted(breakers));
  });

  it('lists the tasks and the recoveries that ClickHouse has', async () => {
    const tasks = await query<StoredTask>(
      `SELECT kind, running_ms, progress_ratio, task_id FROM telltale.cluster_tasks
       WHERE ${latest('cluster_tasks')} AND section = 'tasks'`,
    );
    const recoveries = await query<StoredRecovery>(
      `SELECT concat(\`index\`, ' [', toString(shard), '] ', if(primary, 'primary', 'replica')) AS shard,
         bytes_percent AS percent, bytes_recovered AS recovered, bytes_total AS total, total_time_ms AS took
       FROM telltale.cluster_recoveries WHERE ${latest('cluster_recoveries')}`,
    );
    assert.ok(tasks.length > 0 && recoveries.length > 0);
    await open(stage(), `/clusters/${seededCluster}/work`);
    const shownTasks = tasks.map(({ kind, running_ms: ms, progress_ratio: ratio, task_id: id }) =>
      [kind, formatMillis(ms), formatPercent(ratio), id].join('|'),
    );
    assert.deepEqual(await cellsOf('Long tasks', [0, 1, 2, 4]), shownTasks.sort());
    const shownRecoveries = recoveries.map(({ shard, percent, recovered, total, took }) =>
      [
        ...[shard, formatPercent(percent / 100), `${formatBytes(recovered)} of ${formatBytes(total)}`],
        formatMillis(took),
      ].join('|'),
    );
    assert.deepEqual(await cellsOf('Recoveries that are under way', [0, 2, 3, 5]), shownRecoveries.sort());
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
    await open(stage(), `/clusters/${seededCluster}/streams`);
    assert.deepEqual(
      await rowsOf('Data streams', [0, 1, 2]),
      stored.map(({ name, indices, bytes }) => [name, formatBytes(bytes), formatNumber(indices)].join('|')),
    );
  });

  it('groups slow operations by what was asked as ClickHouse has them, and lists those of one shape', async () => {
    // Each index is asked one query.
    const groups = await query<
      Record<'count' | 'sum' | 'p50' | 'p95' | 'longest', number> & { index: string }
    >(
      `SELECT \`index\`, toFloat64(count()) AS count, toFloat64(sum(took_ms)) AS sum,
         quantileTDigest(0.5)(took_ms) AS p50, quantileTDigest(0.95)(took_ms) AS p95,
         toFloat64(max(took_ms)) AS longest
       FROM telltale.slow_operation_entries WHERE ${seeded} GROUP BY \`index\` ORDER BY sum DESC`,
    );
    assert.equal(groups.length, 3);
    await open(stage(), `/clusters/${seededCluster}/slow`);
    assert.deepEqual(
      await rowsOf('Shapes of slow operations', [0, 1, 2, 3, 4, 5]),
      groups.map(({ index, count, sum, p50, p95, longest }) =>
        [formatMillis(sum), formatNumber(count), ...[p50, p95, longest].map(formatMillis), index].join('|'),
      ),
    );
    const table = main().getByRole('table', { name: 'Shapes of slow operations' });
    await table.getByRole('button', { name: 'Only these' }).first().click();
    await table.getByRole('row').nth(2).waitFor({ state: 'detached' });
    const rows = main().getByRole('table', { name: 'Slow operations', exact: true }).locator('tbody tr');
    await rows.nth(groups[0]?.count ?? 0).waitFor({ state: 'detached' });
    assert.equal(await rows.count(), groups[0]?.count);
    const { page } = stage().signedIn;
    await rows.last().locator('summary').click();
    await page.waitForURL(/shape=.*operation=[0-9a-f]{32}/);
    await page.reload();
    await rows.last().locator('details[open]').waitFor();
    await page.getByRole('button', { name: 'Show every shape' }).waitFor();
    const linked = page.url();
    await page.goto(`${linked}&from=2026-01-01T00:00:00.000Z&to=2026-01-02T00:00:00.000Z`);
    const alone = main().getByRole('table', { name: 'The operation of this address' });
    await alone.locator('details[open]').waitFor();
    await page.goto(`${linked}f`);
    await main().getByText('This workspace has no such slow operation.').waitFor();
  });
}
