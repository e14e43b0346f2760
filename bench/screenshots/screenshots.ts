import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { openBrowser, watchedPage } from '../../test/support/browser.js';
import { startPipeline, type Pipeline } from '../../test/support/pipeline.js';
import { runTelltale } from '../../test/support/roles.js';
import { stopTheStack } from '../../test/support/stack.js';
import { deadLetterExample } from '../../schemas/openapi/dead-letter-paths.js';
import { seededCluster } from './seed-cluster.js';
import { seed } from './seed.js';
import { seededTrace } from './seed-traces.js';

/**
 * `npm run screenshots`: every page of the dashboard, on a stack with some hours of data: light, dark, grey,
 * and at the width of a telephone. All go to dist/screenshots; those in the README also go to docs/images.
 */
const workspace = 'bookshop';
const everything = join('dist', 'screenshots');
const shown = join('docs', 'images');
const cluster = `/clusters/${seededCluster}`;

/** A day before any data arrived. */
const before = 'from=2020-01-01T00:00:00Z&to=2020-01-02T00:00:00Z';

interface Shot {
  readonly name: string;
  readonly path: string;
  /** Whether the README shows it, in this theme. */
  readonly inReadme?: 'light' | 'dark';
}

const shots: readonly Shot[] = [
  { name: 'home', path: '/', inReadme: 'light' },
  { name: 'results', path: '/results' },
  { name: 'result', path: '/results' },
  { name: 'results-none', path: `/results?${before}` },
  { name: 'trends', path: '/results/trends?compare=before&last=6h' },
  { name: 'score', path: '/results/score' },
  { name: 'applications', path: '/applications' },
  { name: 'application', path: '/applications?application=shop' },
  { name: 'traces', path: '/traces', inReadme: 'light' },
  { name: 'trace', path: `/traces/${seededTrace}`, inReadme: 'dark' },
  { name: 'events', path: '/events' },
  { name: 'metric', path: '/events?metric=orders.placed' },
  { name: 'metric-bytes', path: '/events?metric=uploads.size' },
  { name: 'clusters', path: '/clusters' },
  { name: 'cluster', path: `${cluster}?last=3h`, inReadme: 'light' },
  { name: 'cluster-nodes', path: `${cluster}/nodes?last=3h` },
  { name: 'cluster-indices', path: `${cluster}/indices` },
  { name: 'cluster-shards', path: `${cluster}/shards` },
  { name: 'cluster-streams', path: `${cluster}/streams` },
  { name: 'cluster-work', path: `${cluster}/work` },
  { name: 'cluster-pools', path: `${cluster}/pools` },
  { name: 'cluster-disks', path: `${cluster}/nodes?figure=fs_used_ratio&last=3h` },
  { name: 'cluster-slow', path: `${cluster}/slow` },
  { name: 'cluster-collected', path: `${cluster}/collected` },
  { name: 'pipeline', path: '/pipeline' },
  { name: 'dead-letters', path: '/pipeline/dead-letters' },
  { name: 'dead-letters-dialog', path: '/pipeline/dead-letters' },
  { name: 'replays', path: '/pipeline/replays' },
  { name: 'find', path: `/pipeline/find?id=${seededTrace}` },
  { name: 'keys', path: '/control' },
  { name: 'agents', path: '/control/agents' },
  { name: 'people', path: '/control/people' },
  { name: 'settings', path: '/control/settings' },
  { name: 'integrations', path: '/control/integrations' },
  { name: 'scorers', path: '/control/scorers' },
];

/** Opens the page of the shot. */
async function open(page: Page, url: string, { name, path }: Shot): Promise<void> {
  await page.goto(`${url}/ui${path}`);
  await page.waitForLoadState('networkidle');
  if (name === 'dead-letters-dialog')
    await page
      .getByRole('button', { name: /^Send (it|all .*) back/ })
      .first()
      .click();
  if (name !== 'result') return;
  await page
    .getByRole('link', { name: /invoice/ })
    .first()
    .click();
  await page.getByRole('heading', { name: 'Where its time went' }).waitFor();
  await page.getByText('detected pii', { exact: true }).click();
}

async function take(page: Page, url: string, shot: Shot, scheme: 'light' | 'dark'): Promise<void> {
  const { name, inReadme } = shot;
  await open(page, url, shot);
  // Rows of a long list are cut off: the shot shows what a reader sees without scrolling far.
  const height = await page.evaluate<number>(
    'Math.min(1600, Math.max(640, document.documentElement.scrollHeight))',
  );
  await page.setViewportSize({ width: 1280, height });
  await page.waitForLoadState('networkidle');
  await page.screenshot({ path: join(everything, `${name}-${scheme}.png`), animations: 'disabled' });
  if (inReadme === scheme) {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.screenshot({ path: join(shown, `${name}.png`), animations: 'disabled' });
  }
  await page.setViewportSize({ width: 1280, height: 800 });
}

/** In grey, as colour-blind readers may see it: each state must still be recognisable. */
async function takeGrey(page: Page, url: string, shot: Shot): Promise<void> {
  await open(page, url, shot);
  await page.evaluate("document.documentElement.style.setProperty('filter', 'grayscale(1)')");
  await page.screenshot({ path: join(everything, `${shot.name}-grey.png`), animations: 'disabled' });
}

/** At the width of a telephone; a test ensures that nothing is lost at 320 pixels. */
async function takeNarrow(page: Page, url: string, shot: Shot): Promise<void> {
  await page.setViewportSize({ width: 390, height: 1_400 });
  await open(page, url, shot);
  await page.screenshot({ path: join(everything, `${shot.name}-narrow.png`), animations: 'disabled' });
}

async function takeAll(pipeline: Pipeline): Promise<void> {
  const browser = await openBrowser();
  if (browser === undefined) throw new Error('There is no browser for this machine: install Chrome.');
  for (const folder of [everything, shown]) mkdirSync(folder, { recursive: true });
  const { page, faults } = await watchedPage(browser, pipeline.edge.url, {
    viewport: { width: 1280, height: 800 },
  });
  const link = await runTelltale(
    ['sign-in-link', '--workspace', workspace, '--url', pipeline.edge.url],
    pipeline.environment,
  );
  // Dead letters belong to all workspaces, so they are shown to admins of a workspace other than this one.
  await page.route('**/ui/api/v1/dead-letters', (route) => route.fulfill({ json: deadLetterExample }));
  await page.goto(link.trim());
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    for (const shot of shots) await take(page, pipeline.edge.url, shot, scheme);
  }
  await page.emulateMedia({ colorScheme: 'light' });
  for (const shot of shots) await takeGrey(page, pipeline.edge.url, shot);
  for (const shot of shots) await takeNarrow(page, pipeline.edge.url, shot);
  await browser.close();
  console.log(`wrote ${everything} and ${shown}`);
  if (faults.length > 0) throw new Error(`The pages had faults: ${faults.join('; ')}`);
}

try {
  const pipeline = await startPipeline(workspace);
  try {
    await seed(pipeline, workspace);
    await takeAll(pipeline);
  } finally {
    await pipeline.stop();
  }
} finally {
  await stopTheStack();
}
