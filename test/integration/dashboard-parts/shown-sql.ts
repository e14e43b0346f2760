import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { Locator } from 'playwright-core';
import { unitOf } from '../../../dashboard/src/pages/cluster/figures.js';
import { seededCluster } from '../../../bench/screenshots/seed-cluster.js';
import { ferryTrace } from './key-story.js';
import { read, type Stage } from './stage.js';
import { visit } from './visit.js';

const cluster = `/clusters/${seededCluster}`;
/** Pages that show their queries. */
const pages = [
  '/results',
  '/results/trends',
  '/traces?spans=all',
  `/traces/${ferryTrace}`,
  '/applications',
  '/applications?application=shop',
  '/events',
  '/pipeline',
  '/clusters',
  ...[
    '',
    '/nodes',
    '/indices',
    '/shards?state=UNASSIGNED',
    '/streams',
    '/work',
    '/pools',
    '/slow',
    '/collected',
  ].map((tab) => `${cluster}${tab}`),
  `${cluster}?figure=queries_per_second`,
  `${cluster}/slow?kind=search&min_took_ms=1&sort=slowest`,
];

interface Point {
  readonly at: string;
  readonly events: number;
  readonly sum: number | null;
}
interface Series {
  readonly series: readonly { readonly points: readonly Point[] }[];
}
interface Figures {
  readonly series: readonly { readonly name: string; readonly points: readonly Measured[] }[];
}
interface Measured {
  readonly at: string;
  readonly mean: number | null;
  readonly max: number | null;
}
interface Trend {
  readonly points: readonly {
    readonly at: string;
    readonly results: number;
    readonly scored: number;
    readonly p05: number | null;
    readonly p50: number | null;
    readonly p95: number | null;
  }[];
}
interface Slow {
  readonly points: readonly {
    readonly at: string;
    readonly search: number | null;
    readonly indexing: number | null;
  }[];
}
interface Timeline {
  readonly events: readonly { readonly at: string }[];
}

/** Converts a ClickHouse timestamp in UTC to the API's form. */
const isoOf = (timestamp: string): string => new Date(`${timestamp.replace(' ', 'T')}Z`).toISOString();

/** An analyst can copy the query behind any chart or table: it runs unchanged, and finds rows. */
export function shownSql(stage: () => Stage): void {
  /** The query behind a part of the current page. */
  const queryOf = async (button: Locator): Promise<string> => {
    const { page } = stage().signedIn;
    await button.press('Enter');
    const sql = (await page.getByRole('group', { name: 'SQL', exact: true }).textContent()) ?? '';
    await page.getByRole('button', { name: 'Close' }).press('Enter');
    return sql;
  };

  it('shows a query that returns what the page shows: for events, and for what happened', async () => {
    const { signedIn, pipeline } = stage();
    const show = signedIn.page.getByRole('button', { name: 'Show the SQL' });
    const metric = 'ferries.cancelled';
    await visit(stage(), `/events?metric=${metric}`);
    const { series } = await read<Series>(stage(), `/api/v1/events/series?metric=${metric}`);
    const steps = await pipeline.query<Omit<Point, 'events'> & { events: string }>(await queryOf(show));
    assert.deepEqual(
      steps.map(({ at, events, sum }) => [isoOf(at), Number(events), sum]),
      series.flatMap(({ points }) => points.map(({ at, events, sum }) => [at, events, sum])),
    );

    await visit(stage(), cluster);
    const { events } = await read<Timeline>(stage(), `/api/v1${cluster}/timeline`);
    const happened = signedIn.page.getByRole('button', { name: 'Show the SQL: what happened' });
    const changes = await pipeline.query<{ changed_at: string }>(await queryOf(happened));
    assert.deepEqual(
      [...new Set(changes.map(({ changed_at: at }) => isoOf(at)))],
      [...new Set(events.map(({ at }) => at))],
    );
  });

  it('draws a node alone, with what the query behind it finds', async () => {
    const { signedIn, pipeline } = stage();
    const { page } = signedIn;
    await visit(stage(), `${cluster}/nodes?figure=fs_used_ratio&last=3h`);
    const answer = page.waitForResponse((response) => /\/nodes\/series\?.*id=/.test(response.url()));
    await page.getByRole('button', { name: 'Draw only search-1' }).press('Enter');
    const { series } = (await (await answer).json()) as Figures;
    assert.deepEqual(
      series.map(({ name }) => name),
      ['search-1'],
    );
    const drawn = series.flatMap(({ points }) => points.filter(({ mean }) => mean !== null));
    assert.ok(drawn.length > 0);
    const known = drawn.map(({ mean }) => mean ?? 0);
    const { write } = unitOf('fs_used_ratio');
    const bounds = `lowest ${write(Math.min(...known))}, highest ${write(Math.max(...known))}`;
    const said = `search-1: ${known.length} samples, ${bounds}`;
    await page.locator(`main [role=img][aria-label*="${said}"]`).waitFor();
    const show = page.getByRole('button', { name: 'Show the SQL: Disk used of nodes' });
    const rows = await pipeline.query<{ step: string; mean: number; highest: number }>(await queryOf(show));
    assert.deepEqual(
      rows.map(({ step, mean, highest }) => [isoOf(step), mean.toFixed(9), highest]),
      drawn.map(({ at, mean, max }) => [at, mean?.toFixed(9), max]),
    );
    await page.getByRole('button', { name: 'Draw all', exact: true }).press('Enter');
    await page.locator('main [role=img][aria-label*="search-3: "]').waitFor();
  });

  it('draws the trend of a score with what the query behind it finds', async () => {
    const { signedIn, pipeline } = stage();
    const { page } = signedIn;
    const answer = page.waitForResponse((response) => response.url().includes('/api/v1/results/trends'));
    await visit(stage(), '/results/trends');
    const points = ((await (await answer).json()) as Trend).points.filter(({ results }) => results > 0);
    const drawn = points.filter(({ p50 }) => p50 !== null);
    assert.ok(drawn.length > 0);
    await page.locator(`main [role=img][aria-label*="p50: ${drawn.length} samples, lowest"]`).waitFor();
    const show = page.getByRole('button', { name: 'Show the SQL' }).first();
    const rows = await pipeline.query<{
      readonly at: string;
      readonly results: string;
      readonly scored: string;
      readonly p05_p50_p95: readonly number[];
    }>(await queryOf(show));
    assert.deepEqual(
      rows.map(({ at, results, scored }) => [isoOf(at), Number(results), Number(scored)]),
      points.map(({ at, results, scored }) => [at, results, scored]),
    );
    assert.deepEqual(
      rows.filter(({ scored }) => Number(scored) > 0).map(({ p05_p50_p95: quantiles }) => quantiles),
      drawn.map(({ p05, p50, p95 }) => [p05, p50, p95]),
    );
  });

  it('counts slow operations over time as the query behind it does', async () => {
    const { signedIn, pipeline } = stage();
    const answer = signedIn.page.waitForResponse((response) =>
      response.url().includes('/slow-operations/summary'),
    );
    await visit(stage(), `${cluster}/slow?last=3h`);
    const { points } = (await (await answer).json()) as Slow;
    const show = signedIn.page.getByRole('button', { name: 'Show the SQL: number of slow operations' });
    const rows = await pipeline.query<{ step: string; search: string; indexing: string }>(
      await queryOf(show),
    );
    assert.ok(rows.length > 0);
    const steps = points.filter(({ search, indexing }) => (search ?? 0) + (indexing ?? 0) > 0);
    assert.deepEqual(
      rows.map(({ step, search, indexing }) => [isoOf(step), Number(search), Number(indexing)]),
      steps.map(({ at, search, indexing }) => [at, search ?? 0, indexing ?? 0]),
    );
  });

  it('exports what needs attention, and the steps of one trace, as the rows of a file', async () => {
    const { page } = stage().signedIn;
    for (const [path, shown, columns] of [
      ['/', page.locator('main ul > li h2'), '"state","what","reason","next_step","page"'],
      [
        `/pipeline/find?id=${ferryTrace}`,
        page.locator('main tbody tr'),
        '"step","at","after_the_one_before_ms","place","detail"',
      ],
    ] as const) {
      await visit(stage(), path);
      await shown.first().waitFor();
      const saved = page.waitForEvent('download');
      await page.getByRole('button', { name: 'CSV' }).press('Enter');
      const [head, ...rows] = (await readFile(await (await saved).path(), 'utf8')).trimEnd().split('\r\n');
      assert.deepEqual([head, rows.length], [columns, await shown.count()], path);
    }
  });

  it('shows the query behind each table and picture, which ClickHouse answers', async () => {
    const { page } = stage().signedIn;
    await page.setViewportSize({ width: 1280, height: 800 });
    const empty: string[] = [];
    for (const path of pages) {
      await visit(stage(), path);
      const buttons = page.getByRole('button', { name: 'Show the SQL' });
      const count = await buttons.count();
      assert.ok(count > 0, `${path} shows no query`);
      for (let index = 0; index < count; index += 1) {
        const name = (await buttons.nth(index).getAttribute('aria-label')) ?? '';
        const sql = await queryOf(buttons.nth(index));
        assert.ok(sql.includes("workspace = 'dashboard'"), `${path}, ${name}: ${sql}`);
        const rows = await stage().pipeline.query(sql);
        if (rows.length === 0) empty.push(name.replace('Show the SQL: ', ''));
      }
    }
    assert.deepEqual(empty, []);
  });
}
