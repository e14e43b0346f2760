import type { Page } from 'playwright-core';
import { until } from '../../support/until.js';
import type { Stage } from './stage.js';

const patienceMs = 60_000;

/** A page has its heading, nothing that it loads, and nothing that is of another filter still. */
const isSettled = `document.querySelector('main h1') !== null
  && document.querySelector('main [data-kind=loading], main [aria-busy=true]') === null`;

/** Waits until a page shows all that it asked for. */
export const settled = (page: Page): Promise<void> =>
  until('the page has all that it asked for', () => page.evaluate<boolean>(isSettled), patienceMs);

/** Leads to another page of the dashboard, as its links do: without loading it anew. */
export async function leadTo(page: Page, path: string): Promise<void> {
  await page.evaluate(`history.pushState(null, '', ${JSON.stringify(`/ui${path}`)})`);
}

/** Shows another page of the dashboard, whole. */
export async function visit({ signedIn: { page } }: Pick<Stage, 'signedIn'>, path: string): Promise<void> {
  await leadTo(page, path);
  await settled(page);
}
