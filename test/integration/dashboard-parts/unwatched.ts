import type { Page } from 'playwright-core';
import type { Stage } from './stage.js';

export type Work = (page: Page, edge: string) => Promise<void>;

/** Works with a page that is not watched: a browser notes answers that are failures as errors. */
export async function unwatched({ pipeline, signedIn }: Stage, work: Work): Promise<void> {
  const page = await signedIn.page.context().newPage();
  try {
    await work(page, pipeline.edge.url);
  } finally {
    await page.close();
  }
}
