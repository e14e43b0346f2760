import assert from 'node:assert/strict';
import type { Route } from 'playwright-core';
import { seededCluster } from '../../../bench/screenshots/seed-cluster.js';
import { violationsInThemes } from './axe.js';
import type { Stage } from './stage.js';
import { unwatched, type Work } from './unwatched.js';
import { leadTo, settled, visit } from './visit.js';

const problem = { detail: 'It broke.', request_id: 'a-request' };

/** Pages that load data before they show anything. */
const readPages = [
  ...[
    '/',
    '/results',
    '/results/trends',
    '/results/none',
    '/applications',
    '/applications?application=none',
    '/traces',
    '/traces/none',
  ],
  ...['/events', '/events?metric=none', '/clusters', '/clusters/none', '/control', '/control/people'],
  ...['/pipeline', '/pipeline/dead-letters', '/pipeline/replays', '/pipeline/find?id=none'],
  ...['/control/agents', '/control/integrations', '/control/scorers', '/control/settings'],
];

const cluster = `/clusters/${seededCluster}`;
/** The views of a cluster that load more than the cluster itself. */
const clusterViews = [
  '',
  '/nodes',
  '/indices',
  '/shards',
  '/streams',
  '/work',
  '/pools',
  '/slow',
  '/collected',
].map((tab) => `${cluster}${tab}`);

/** Lists with a filter that matches nothing. */
const filteredPages = [
  ...['/results?q=nothing-like-it', '/traces?operation=none', '/pipeline/find'],
  ...['/nodes?role=ml', '/indices?prefix=none', '/shards?index=none', '/slow?index=none'].map(
    (view) => `${cluster}${view}`,
  ),
];

/** Pages that say so as long as the workspace is empty. */
const emptyPages = [
  ...['/results', '/results/trends', '/applications', '/traces', '/events', '/clusters'],
  ...['/control/agents', '/control/integrations', '/pipeline/replays'],
];

/** To be run while the workspace is still empty. */
export function emptyStates(stage: () => Stage): void {
  it('has empty pages on which axe-core finds nothing', async () => {
    const { page } = stage().signedIn;
    await visit(stage(), '/');
    assert.deepEqual(await violationsInThemes(page), [], 'Home');
    for (const path of emptyPages) {
      await visit(stage(), path);
      await page.locator('main [data-kind]').first().waitFor();
      assert.deepEqual(await violationsInThemes(page), [], path);
    }
  });
}

/** The states of a page: loading, failed, and behind a dialog. */
export function axeStates(stage: () => Stage): void {
  const withPage = (work: Work): Promise<void> => unwatched(stage(), work);

  it('has states on which axe-core finds nothing: loading, failed, and with a dialog open', () =>
    withPage(async (page, edge) => {
      const held: Route[] = [];
      await page.route('**/ui/api/v1/keys', (route) => void held.push(route));
      await page.goto(`${edge}/ui/control`);
      await page.getByRole('heading', { name: 'Loading the keys…' }).waitFor();
      assert.deepEqual(await violationsInThemes(page), [], 'loading');
      for (const route of held) await route.fulfill({ status: 500, json: problem });
      await page.getByRole('alert').getByText('It broke.').waitFor();
      assert.deepEqual(await violationsInThemes(page), [], 'failed');

      await page.unroute('**/ui/api/v1/keys');
      await page.getByRole('button', { name: 'Try again' }).click();
      const dialog = page.getByRole('dialog');
      const press = (name: string | RegExp) => () => page.getByRole('button', { name }).first().click();
      const opensWell = async (opened: () => Promise<void>): Promise<void> => {
        await opened();
        await dialog.waitFor();
        assert.deepEqual(await violationsInThemes(page), [], (await dialog.textContent()) ?? '');
      };
      for (const opened of [
        ...[press('New key'), press(/^Rotate /), press(/^Revoke /)],
        () => page.keyboard.press('?'),
      ]) {
        await opensWell(opened);
        await page.keyboard.press('Escape');
        await dialog.waitFor({ state: 'detached' });
      }
      for (const [path, ...buttons] of [
        ['/results', 'Show the SQL: results', /^From .* to/],
        ['/control/people', /^End the session of /],
      ] as const) {
        await page.goto(`${edge}/ui${path}`);
        for (const button of buttons) {
          await opensWell(press(button));
          await page.keyboard.press('Escape');
          await dialog.waitFor({ state: 'detached' });
        }
      }
    }));

  it('has a control room for viewers that says who may do more, and on which axe-core finds nothing', () =>
    withPage(async (page, edge) => {
      await page.route('**/ui/api/session', async (route) => {
        const session = (await (await route.fetch()).json()) as object;
        await route.fulfill({ json: { ...session, role: 'viewer' } });
      });
      for (const path of ['/control', '/control/people', '/control/settings']) {
        await page.goto(`${edge}/ui${path}`);
        await page.locator('main').getByText(/admin/).first().waitFor();
        assert.deepEqual(await violationsInThemes(page), [], path);
      }
      for (const path of ['/results/score', '/pipeline/dead-letters', '/pipeline/replays']) {
        await page.goto(`${edge}/ui${path}`);
        await settled(page);
        assert.deepEqual(await violationsInThemes(page), [], path);
      }
    }));

  it('has pages on which axe-core finds nothing while they load, and if nothing can be read', () =>
    withPage(async (page, edge) => {
      const fail = (route: Route): Promise<void> => route.fulfill({ status: 500, json: problem });
      let held: Route[] | undefined;
      await page.route('**/ui/api/v1/**', (route, request) => {
        if (new URL(request.url()).pathname.endsWith(`/api/v1${cluster}`)) return route.continue();
        return held === undefined ? fail(route) : void held.push(route);
      });
      await page.goto(`${edge}/ui/nowhere`);
      await page.getByRole('navigation', { name: 'Pages' }).waitFor();
      // Failed reads are not cached: a page reached by a link loads as if it were opened directly.
      for (const path of [...readPages, ...clusterViews]) {
        held = [];
        await leadTo(page, path);
        // Until the page itself is rendered, it has no heading, and that of the previous page is hidden.
        await page.locator('main:has(h1:visible) [data-kind=loading]').first().waitFor();
        assert.deepEqual(await violationsInThemes(page), [], `${path} loads`);
        const waiting: readonly Route[] = held;
        held = undefined;
        await Promise.all(waiting.map(fail));
        await page.locator('main [data-kind=error], main [data-status=unknown]').first().waitFor();
        assert.deepEqual(await violationsInThemes(page), [], `${path} cannot be read`);
      }
    }));

  it('has pages on which axe-core finds nothing if no entry matches the filters', async () => {
    const { page } = stage().signedIn;
    for (const path of filteredPages) {
      await visit(stage(), path);
      await page.locator('main [data-kind=filtered-out]').first().waitFor();
      assert.deepEqual(await violationsInThemes(page), [], path);
    }
  });

  it('has views on which axe-core finds nothing if nothing was collected or no agent answers', () =>
    withPage(async (page, edge) => {
      await page.route(`**/ui/api/v1${cluster}/*`, async (route) => {
        const answer = await route.fetch();
        const list = (await answer.json()) as object;
        await route.fulfill({ json: 'as_of' in list ? notCollected(list) : list });
      });
      for (const view of ['/nodes', '/indices', '/shards', '/streams', '/work', '/pools']) {
        await page.goto(`${edge}/ui${cluster}${view}`);
        await page.locator('main [data-kind=not-collected]').first().waitFor();
        await settled(page);
        assert.deepEqual(await violationsInThemes(page), [], view);
      }
      const asked = { status: 'failed', asked_at: '2026-01-01T00:00:00.000Z', detail: 'It timed out.' };
      for (const status of ['waiting', 'failed', 'expired']) {
        const of = { ...asked, cluster_uuid: seededCluster, answered_at: null, agent_host: null };
        const json = { ...of, status, hot_threads: null };
        await page.route('**/hot-threads', (route) => route.fulfill({ json }));
        await page.goto(`${edge}/ui${cluster}/nodes?threads=shown`);
        await page.getByText('It timed out.').waitFor();
        assert.deepEqual(await violationsInThemes(page), [], status);
      }
    }));

  it('has a scoring page on which axe-core finds nothing, whether or not the text could be scored', () =>
    withPage(async (page, edge) => {
      await page.goto(`${edge}/ui/results/score`);
      await page.getByLabel('Prompt', { exact: true }).fill('A ferry at 12 Pier Street.');
      await page.getByRole('button', { name: 'Score it' }).click();
      await page.getByText('text sentiment', { exact: true }).waitFor();
      assert.deepEqual(await violationsInThemes(page), []);
      await page.route('**/ui/api/v1/monitoring/metrics', (route) =>
        route.fulfill({ status: 503, json: problem }),
      );
      await page.getByRole('button', { name: 'Score it' }).click();
      await page.getByText('It broke.').waitFor();
      assert.deepEqual(await violationsInThemes(page), []);
    }));
}

/** The answer of a list whose section no agent could collect. */
const notCollected = (list: object): object => ({
  ...Object.fromEntries(
    Object.entries(list).map(([name, value]: [string, unknown]) => [name, Array.isArray(value) ? [] : value]),
  ),
  ...{ as_of: null, total: 0, unavailable: { '*': 'The privilege “monitor” is missing.' } },
});
