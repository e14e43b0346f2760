import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { faultsOf } from '../../support/browser.js';
import type { Stage } from './stage.js';

export type Work = (page: Page, edge: string) => Promise<void>;

/** Runs `work` with a page whose errors fail the test. Failed responses, which browsers also log, do not. */
export async function unwatched(stage: Stage, work: Work): Promise<void> {
  await elsewhere(stage, async (page, edge) => {
    const faults = faultsOf(page, edge);
    await work(page, edge);
    assert.deepEqual(
      faults.filter((fault) => !fault.startsWith('Failed to load resource')),
      [],
    );
  });
}

/** Runs `work` with a page that may show other origins. */
export async function elsewhere({ pipeline, signedIn }: Stage, work: Work): Promise<void> {
  const page = await signedIn.page.context().newPage();
  try {
    await work(page, pipeline.edge.url);
  } finally {
    await page.close();
  }
}
