import type { Page } from 'playwright-core';
import { until } from '../../support/until.js';
import type { Stage } from './stage.js';

const patienceMs = 60_000;

/** The page has its heading, is loading nothing, and shows no data of a previous filter. */
const isSettled = `document.querySelector('main h1') !== null
  && document.querySelector('main [data-kind=loading], main [aria-busy=true]') === null`;

/** Waits until a page shows everything that it has requested. */
export const settled = (page: Page): Promise<void> =>
  until('the page has all that it asked for', () => page.evaluate<boolean>(isSettled), patienceMs);

/** Goes to another page of the dashboard as its links do: without a reload. */
export async function leadTo(page: Page, path: string): Promise<void> {
  await page.evaluate(`history.pushState(null, '', ${JSON.stringify(`/ui${path}`)})`);
}

/** Shows another page of the dashboard, and waits until it is complete. */
export async function visit({ signedIn: { page } }: Pick<Stage, 'signedIn'>, path: string): Promise<void> {
  await leadTo(page, path);
  await settled(page);
}
