import assert from 'node:assert/strict';
import { seededCluster } from '../../../bench/screenshots/seed-cluster.js';
import type { Stage } from './stage.js';
import { visit } from './visit.js';

const cluster = `/clusters/${seededCluster}`;
/** Pages, and whose queries they show. */
const pages = [
  '/results',
  '/results/trends',
  '/traces?spans=all',
  '/applications',
  '/applications?application=shop',
  '/events',
  '/pipeline',
  '/clusters',
  ...['', '/nodes', '/indices', '/shards?state=UNASSIGNED', '/streams', '/work', '/pools', '/slow'].map(
    (tab) => `${cluster}${tab}`,
  ),
  `${cluster}?figure=queries_per_second`,
  `${cluster}/slow?kind=search&min_took_ms=1&sort=slowest`,
];

/** An analyst leaves with the query behind any picture: it runs as it stands, and finds something. */
export function shownSql(stage: () => Stage): void {
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
        await buttons.nth(index).press('Enter');
        const sql = (await page.getByRole('region', { name: 'SQL', exact: true }).textContent()) ?? '';
        assert.ok(sql.includes("workspace = 'dashboard'"), `${path}, ${name}: ${sql}`);
        const rows = await stage().pipeline.query(sql);
        if (rows.length === 0) empty.push(name.replace('Show the SQL: ', ''));
        await page.getByRole('button', { name: 'Close' }).press('Enter');
      }
    }
    assert.deepEqual(empty, []);
  });
}
