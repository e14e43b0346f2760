import assert from 'node:assert/strict';
import { until } from '../../support/until.js';
import type { Stage } from './stage.js';
import { elsewhere, unwatched } from './unwatched.js';
import { visit } from './visit.js';

const from = Date.parse('2026-01-02T00:00:00.000Z');
const minuteMs = 60_000;
const minutes = 100;
const timestamp = (minute: number): string => new Date(from + minute * minuteMs).toISOString();

/** A single sample, zeros, and a line. The minutes between have no data. */
const valueAt = (minute: number): number | null =>
  minute === 10 || (minute >= 70 && minute <= 80) ? 5 : minute >= 30 && minute <= 40 ? 0 : null;

const answer = {
  ...{ from: timestamp(0), to: timestamp(minutes), step_seconds: 60 },
  series: [
    {
      ...{ metric: 'drawn', cluster: '', type: 'increment' },
      points: Array.from({ length: minutes }, (_, minute) => {
        const [events, sum] = [valueAt(minute) === null ? 0 : 1, valueAt(minute)];
        const unknown = { min: null, max: null, last: null, mean: null, p50: null, p95: null, p99: null };
        return { at: timestamp(minute), events, sum, ...unknown };
      }),
    },
  ],
};

/** The values at which a minute's column has the line's colour. The chart's maximum is 5.25. */
const valuesAt = (minute: number): string => `(() => {
  const [canvas, over] = ['canvas', '.u-over'].map((name) => document.querySelector('figure ' + name));
  const [outer, inner] = [canvas, over].map((element) => element.getBoundingClientRect());
  const probe = document.body.appendChild(document.createElement('i'));
  probe.style.color = 'var(--series-1)';
  const wanted = getComputedStyle(probe).color.match(/[0-9]+/g).slice(0, 3).map(Number);
  probe.remove();
  const scale = canvas.width / outer.width;
  const x = (inner.left - outer.left + (inner.width * ${minute}) / ${minutes}) * scale;
  const [top, height] = [(inner.top - outer.top) * scale, inner.height * scale];
  const { data } = canvas.getContext('2d').getImageData(Math.round(x) - 1, 0, 3, canvas.height);
  const rows = Array.from({ length: canvas.height }, (_, y) => y).filter((y) =>
    [0, 1, 2].some((column) =>
      wanted.every((part, channel) => Math.abs(data[(y * 3 + column) * 4 + channel] - part) < 24)));
  return rows.map((y) => Math.round((5.25 * (top + height - y)) / height)).reverse();
})()`;

/** Checks the drawn pixels, not the data given to the chart. */
export function drawnLine(stage: () => Stage): void {
  it('draws a gap as a gap, a true 0 at the bottom, and a sample with no neighbours', () =>
    unwatched(stage(), async (page, edge) => {
      await page.route('**/events/series?*', (route) => route.fulfill({ json: answer }));
      await page.goto(`${edge}/ui/events?metric=drawn&from=${timestamp(0)}&to=${timestamp(minutes)}`);
      await page.locator('figure canvas').waitFor();
      const at = async (minute: number): Promise<readonly number[]> => [
        ...new Set(await page.evaluate<number[]>(valuesAt(minute))),
      ];
      assert.deepEqual(await at(10), [5], 'one sample');
      assert.deepEqual(await at(35), [0], 'zeros');
      assert.deepEqual(await at(75), [5], 'a line');
      for (const minute of [5, 20, 50, 55, 90]) assert.deepEqual(await at(minute), [], `minute ${minute}`);
      await page.emulateMedia({ colorScheme: 'dark' });
      await until('the line has the colour of the dark theme', async () => (await at(75)).length > 0);
    }));

  it('says "Not found" for an unknown id', () =>
    unwatched(stage(), async (page, edge) => {
      await page.goto(`${edge}/ui/`);
      for (const path of ['/results/none', '/traces/none', '/clusters/none', '/pipeline/find?id=none']) {
        await visit({ signedIn: { page, faults: [] } }, path);
        await page.locator('main').getByRole('heading', { name: 'Not found', exact: true }).waitFor();
        await page.getByRole('button', { name: 'Try again' }).waitFor();
      }
    }));

  it('still shows other pages after one that could not be shown', () =>
    elsewhere(stage(), async (page, edge) => {
      await page.route('**/api/v1/events?*', (route) => route.fulfill({ json: {} }));
      await page.goto(`${edge}/ui/events`);
      await page.getByRole('heading', { name: 'Could not show the page' }).waitFor();
      await page.getByRole('link', { name: 'Clusters', exact: true }).click();
      await page.getByRole('heading', { name: 'Clusters', exact: true, level: 1 }).waitFor();
    }));
}
