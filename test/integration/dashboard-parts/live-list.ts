import assert from 'node:assert/strict';
import { until } from '../../support/until.js';
import type { Stage } from './stage.js';

/** More than twice as long as the list waits before it asks again. */
const longEnoughMs = 12_000;

/** A list that is left open: what comes in is seen, until the range is frozen. */
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

  it('shows new results in a list that is open, and none once its range is frozen', async () => {
    const { pipeline, signedIn } = stage();
    const page = await signedIn.page.context().newPage();
    await page.clock.install();
    await page.goto(`${pipeline.edge.url}/ui/results?last=15m`);
    await page.getByRole('table', { name: 'Results' }).waitFor();
    await score('The lamp is lit.');
    await page.clock.fastForward(longEnoughMs);
    await page.getByRole('link', { name: 'The lamp is lit.' }).waitFor();
    await page.getByRole('button', { name: 'Freeze' }).click();
    await page.getByRole('button', { name: 'Follow the clock again' }).waitFor();
    await page.waitForLoadState('networkidle');
    await score('The lamp is out.');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.clock.fastForward(longEnoughMs);
    // Requests are told in their order: whatever the list asked for is known once this one is.
    await page.evaluate("fetch('/ui/api/session')");
    assert.ok(asked.some((url) => url.endsWith('/ui/api/session')));
    assert.deepEqual(
      asked.filter((url) => url.includes('/api/v1/results')),
      [],
    );
    await page.getByRole('link', { name: 'The lamp is lit.' }).waitFor();
    assert.equal(await page.getByRole('link', { name: 'The lamp is out.' }).count(), 0);
    await page.close();
  });

  it('holds a page without a range once it is paused, also when it is seen again', async () => {
    const { pipeline, signedIn } = stage();
    const page = await signedIn.page.context().newPage();
    await page.clock.install();
    await page.goto(`${pipeline.edge.url}/ui/control`);
    await page.getByRole('table', { name: 'API keys' }).waitFor();
    await page.waitForLoadState('networkidle');
    await page.keyboard.press('.');
    await page.getByRole('button', { name: 'Paused: go on' }).waitFor();
    assert.match(page.url(), /\/control\?paused=yes$/);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.clock.fastForward(10 * longEnoughMs);
    await page.evaluate("dispatchEvent(new Event('visibilitychange')); fetch('/ui/api/session')");
    assert.deepEqual(asked, ['/ui/api/session']);
    const again = page.waitForRequest((request) => request.url().endsWith('/api/v1/keys'));
    await page.keyboard.press('.');
    await page.clock.fastForward(10 * longEnoughMs);
    await again;
    await page.getByRole('button', { name: 'Pause', exact: true }).waitFor();
    await page.close();
  });

  it('asks nothing while its tab is hidden, and at once when it is seen again', async () => {
    const { pipeline, signedIn } = stage();
    const page = await signedIn.page.context().newPage();
    await page.clock.install();
    await page.goto(`${pipeline.edge.url}/ui/results?last=15m`);
    await page.getByRole('table', { name: 'Results' }).waitFor();
    await page.waitForLoadState('networkidle');
    const show = (state: 'hidden' | 'visible'): Promise<unknown> =>
      page.evaluate(
        `Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => '${state}' });
         Object.defineProperty(document, 'hidden', { configurable: true, get: () => ${String(state === 'hidden')} });
         dispatchEvent(new Event('visibilitychange'));`,
      );
    await show('hidden');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.clock.fastForward(10 * longEnoughMs);
    await page.evaluate("fetch('/ui/api/session')");
    assert.deepEqual(asked, ['/ui/api/session']);
    const again = page.waitForRequest((request) => request.url().includes('/api/v1/results'));
    await show('visible');
    await page.clock.fastForward(longEnoughMs);
    await again;
    await page.close();
  });
}
