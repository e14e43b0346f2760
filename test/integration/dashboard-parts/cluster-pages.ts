import assert from 'node:assert/strict';
import { seededCluster } from '../../../bench/screenshots/seed-cluster.js';
import { unitOf } from '../../../dashboard/src/pages/cluster/figures.js';
import { formatBytes, formatMillis, formatNumber } from '../../../dashboard/src/shared/format.js';
import { cellsOf } from './cells.js';
import { latest, seeded } from './cluster-lists.js';
import { open, read, type Stage } from './stage.js';
import { visit } from './visit.js';

interface Series {
  readonly series: readonly {
    readonly name: string;
    readonly points: readonly { readonly mean: number | null }[];
  }[];
}
interface Timeline {
  readonly events: readonly { readonly at: string }[];
}

const api = `/api/v1/clusters/${seededCluster}`;

/** The pages of the seeded cluster, which lost a node and is red, show what the API answers. */
export function clusterPages(stage: () => Stage): void {
  const main = () => stage().signedIn.page.locator('main');

  const query = <Row>(sql: string): Promise<readonly Row[]> => stage().pipeline.query<Row>(sql);

  it('says why a cluster is red, what to do, and what happened', async () => {
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
    const { write } = unitOf('fs_used_ratio');
    const drawn = page.getByRole('img', { name: /^Disk used, the mean/ });
    const label = (await drawn.getAttribute('aria-label')) ?? '';
    assert.ok(
      label.includes(
        `${first?.name ?? ''}: ${known.length} samples, lowest ${write(Math.min(...known))}, highest ${write(Math.max(...known))}`,
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
    // On the page of the previous test.
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

  it('groups slow operations by query shape as ClickHouse does, and lists those of one shape', async () => {
    // Each index was searched with one query.
    const groups = await query<
      Record<'count' | 'sum' | 'p50' | 'p95' | 'longest', number> & { index: string }
    >(
      `SELECT \`index\`, toFloat64(count()) AS count, toFloat64(sum(took_ms)) AS sum,
         quantileTDigest(0.5)(took_ms) AS p50, quantileTDigest(0.95)(took_ms) AS p95,
         toFloat64(max(took_ms)) AS longest
       FROM telltale.slow_operation_entries WHERE ${seeded} GROUP BY \`index\` ORDER BY sum DESC`,
    );
    assert.equal(groups.length, 3);
    await visit(stage(), `/clusters/${seededCluster}/slow`);
    assert.deepEqual(
      await cellsOf(stage().signedIn.page, 'Shapes of slow operations', [0, 1, 2, 3, 4, 5]),
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
