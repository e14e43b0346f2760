import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../support/until.js';
import { open, type Stage } from './stage.js';

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
    await open(stage(), '/results?last=15m');
    const { page } = stage().signedIn;
    await page.getByRole('table', { name: 'Results' }).waitFor();
    await score('The lamp is lit.');
    await page.getByRole('link', { name: 'The lamp is lit.' }).waitFor();
    await page.getByRole('button', { name: 'Freeze' }).click();
    await score('The lamp is out.');
    await sleep(longEnoughMs);
    assert.equal(await page.getByRole('link', { name: 'The lamp is out.' }).count(), 0);
    await page.getByRole('link', { name: 'The lamp is lit.' }).waitFor();
  });
}
