import assert from 'node:assert/strict';
import type { Page, Request } from 'playwright-core';
import { until } from '../../support/until.js';
import type { Stage } from './stage.js';

/** More than twice the interval at which the list is refreshed. */
const longEnoughMs = 12_000;

/** An open list shows new results, until its range is frozen. */
export function liveList(stage: () => Stage): void {
  const score = async (prompt: string): Promise<void> => {
    const { pipeline } = stage();
    const answer = await fetch(`${pipeline.edge.url}/api/v1/monitoring/metrics/text-sentiment`, {
      method: 'POST',
      headers: { authorization: `Bearer ${pipeline.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ prompt }),
    });
    assert.equal(answer.status, 200);
    await until('the result is stored', async () => {
      const sql = `SELECT 1 AS found FROM telltale.scoring_results WHERE prompt = '${prompt}'`;
      return (await pipeline.query(sql)).length > 0;
    });
  };

  const openWithHeldClock = async (path: string, table: string): Promise<Page> => {
    const { pipeline, signedIn } = stage();
    const page = await signedIn.page.context().newPage();
    await page.clock.install();
    await page.goto(`${pipeline.edge.url}/ui${path}`);
    await page.getByRole('table', { name: table }).waitFor();
    return page;
  };

  /** The paths that the page requests during an action, in order. */
  const askedDuring = async (page: Page, action: () => Promise<unknown>): Promise<readonly string[]> => {
    const asked: string[] = [];
    const note = (request: Request): number => asked.push(new URL(request.url()).pathname);
    page.on('request', note);
    await action();
    // Requests are reported in order: once this one is reported, so are all before it.
    await page.evaluate("fetch('/ui/api/session')");
    page.off('request', note);
    assert.equal(asked.pop(), '/ui/api/session');
    return asked;
  };

  it('shows new results in a list that is open, and none once its range is frozen', async () => {
    const page = await openWithHeldClock('/results?last=15m', 'Results');
    await score('The lamp is lit.');
    await page.clock.fastForward(longEnoughMs);
    await page.getByRole('link', { name: 'The lamp is lit.' }).waitFor();
    await page.getByRole('button', { name: 'Freeze' }).click();
    await page.getByRole('button', { name: 'Follow the clock again' }).waitFor();
    await page.waitForLoadState('networkidle');
    await score('The lamp is out.');
    const asked = await askedDuring(page, () => page.clock.fastForward(longEnoughMs));
    assert.deepEqual(
      asked.filter((path) => path.endsWith('/api/v1/results')),
      [],
    );
    await page.getByRole('link', { name: 'The lamp is lit.' }).waitFor();
    assert.equal(await page.getByRole('link', { name: 'The lamp is out.' }).count(), 0);
    await page.close();
  });

  it('requests nothing for a paused page without a range, even when it becomes visible again', async () => {
    const page = await openWithHeldClock('/control', 'API keys');
    await page.waitForLoadState('networkidle');
    await page.keyboard.press('.');
    await page.getByRole('button', { name: 'Paused: resume' }).waitFor();
    assert.match(page.url(), /\/control\?paused=yes$/);
    const asked = await askedDuring(page, async () => {
      await page.clock.fastForward(10 * longEnoughMs);
      await page.evaluate("dispatchEvent(new Event('visibilitychange'))");
    });
    assert.deepEqual(asked, []);
    const again = page.waitForRequest((request) => request.url().endsWith('/api/v1/keys'));
    await page.keyboard.press('.');
    await page.clock.fastForward(10 * longEnoughMs);
    await again;
    await page.getByRole('button', { name: 'Pause', exact: true }).waitFor();
    await page.close();
  });

  it('requests nothing while its tab is hidden, and refreshes at once when it is visible again', async () => {
    const page = await openWithHeldClock('/results?last=15m', 'Results');
    await page.waitForLoadState('networkidle');
    const show = (state: 'hidden' | 'visible'): Promise<unknown> =>
      page.evaluate(
        `Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => '${state}' });
         Object.defineProperty(document, 'hidden', { configurable: true, get: () => ${String(state === 'hidden')} });
         dispatchEvent(new Event('visibilitychange'));`,
      );
    await show('hidden');
    assert.deepEqual(await askedDuring(page, () => page.clock.fastForward(10 * longEnoughMs)), []);
    const again = page.waitForRequest((request) => request.url().includes('/api/v1/results'));
    await show('visible');
    await page.clock.fastForward(longEnoughMs);
    await again;
    await page.close();
  });
}
