import type { Browser, Page } from 'playwright-core';
import { watchedPage } from '../../test/support/browser.js';
import type { Pipeline } from '../../test/support/pipeline.js';
import { runTelltale } from '../../test/support/roles.js';
import { seededCluster } from '../screenshots/seed-cluster.js';
import { traceIdOf } from './volumes.js';

const cluster = `/clusters/${seededCluster}`;

/** Every section with its tabs, and the linked pages that read much. */
export const dashboardPages = [
  '/',
  ...['/results', '/results/trends'],
  ...['/applications', '/applications?application=service-1'],
  ...['/traces', `/traces/${traceIdOf(1_000)}`],
  ...['/events', '/events?metric=metric-2'],
  ...['/clusters', cluster],
  ...['nodes', 'indices', 'shards', 'streams', 'work', 'pools', 'slow', 'collected'].map(
    (tab) => `${cluster}/${tab}`,
  ),
  ...['/pipeline', '/pipeline/dead-letters', '/pipeline/replays', '/pipeline/find'],
  ...['/control', '/control/agents', '/control/integrations', '/control/scorers', '/control/people'],
  '/control/settings',
];

/** A page of the dashboard with a session. */
export async function signedInPage(browser: Browser, pipeline: Pipeline, workspace: string): Promise<Page> {
  const { page } = await watchedPage(browser, pipeline.edge.url, { viewport: { width: 1280, height: 800 } });
  const asked = ['sign-in-link', '--workspace', workspace, '--url', pipeline.edge.url];
  await page.goto((await runTelltale(asked, pipeline.environment)).trim());
  await page.getByRole('heading', { name: 'What needs attention' }).waitFor();
  return page;
}
