import assert from 'node:assert/strict';
import { seededCluster } from '../../../bench/screenshots/seed-cluster.js';
import { violationsInThemes } from './axe.js';
import type { Stage } from './stage.js';
import { unwatched } from './unwatched.js';

const ended = { status: 401, json: { detail: 'You are not signed in, or the session has ended.' } };

/** A session that ends while a page is open. */
export function endedSession(stage: () => Stage): void {
  it('says that the session has ended, after a reload as well, and returns to the page after signing in', () =>
    unwatched(stage(), async (page, edge) => {
      const shards = page.getByRole('table', { name: 'Shards', exact: true });
      await page.goto(`${edge}/ui/clusters/${seededCluster}/nodes?last=6h`);
      await page.getByRole('table', { name: 'Nodes', exact: true }).waitFor();
      await page.route('**/ui/api/v1/**', (route) => route.fulfill(ended));
      await page.getByRole('link', { name: 'Shards' }).click();
      await page.getByText('Your session has ended. Sign in again.').waitFor();
      assert.deepEqual(await violationsInThemes(page), []);

      await page.route('**/ui/api/session', (route) => route.fulfill({ json: null }));
      await page.reload();
      await page.getByText('Your session has ended. Sign in again.').waitFor();

      // The real session continues, because the test's other page uses it.
      await page.route('**/ui/api/session', (route) =>
        route.request().method() === 'POST' ? route.fulfill({ json: {} }) : route.continue(),
      );
      await page.unroute('**/ui/api/v1/**');
      await page.getByLabel('API key', { exact: false }).fill('tt_a_b');
      await page.keyboard.press('Enter');
      await shards.waitFor();
      assert.equal(page.url(), `${edge}/ui/clusters/${seededCluster}/shards?last=6h`);

      await page.route('**/ui/api/session', (route) => route.fulfill({ json: null }));
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByRole('heading', { name: 'Sign in to Telltale' }).waitFor();
      assert.equal(await page.getByText('Your session has ended.').count(), 0);
    }));
}
