import assert from 'node:assert/strict';
import { seededCluster } from '../../../bench/screenshots/seed-cluster.js';
import { violationsInThemes } from './axe.js';
import { cellsOf } from './cells.js';
import type { Stage } from './stage.js';
import { unwatched, type Work } from './unwatched.js';
import { settled } from './visit.js';

const letter = {
  ...{ id: '3f2a90c1d4e5b677', at: '2026-01-02T03:04:05.000Z', stage: 'events', code: 'ROWS_REJECTED' },
  ...{ reason: 'The rows were refused.', topic: 'ingest.events', partition: 0, offset: 7, attempts: 5 },
};
const letters = {
  dead_letters: [
    {
      ...{ stage: 'events', code: 'ROWS_REJECTED', open: 1, replayed: 0, discarded: 0 },
      ...{ oldest_at: letter.at, newest_at: letter.at },
    },
  ],
  newest: [letter],
};

/** States that a page has only briefly or after a failure, provoked by answering in place of the edge. */
export function pageStates(stage: () => Stage): void {
  const withPage = (work: Work): Promise<void> => unwatched(stage(), work);

  it('shows a new key until the user confirms that it was copied', () =>
    withPage(async (page, edge) => {
      const made = { key: 'tt_a_b', name: 'made', scopes: ['metrics'] };
      await page.route('**/ui/api/v1/keys', (route) =>
        route.request().method() === 'POST' ? route.fulfill({ status: 201, json: made }) : route.continue(),
      );
      await page.goto(`${edge}/ui/control`);
      await page.getByRole('button', { name: 'New key' }).click();
      await page.getByLabel('Name', { exact: true }).fill('made');
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog', { name: 'The key “made”' });
      await dialog.waitFor();
      assert.deepEqual(await violationsInThemes(page), []);
      for (const key of ['Escape', 'Escape']) await page.keyboard.press(key);
      await dialog.getByText(made.key, { exact: true }).waitFor();
      await dialog.getByRole('button', { name: 'I have copied it' }).click();
      await dialog.waitFor({ state: 'detached' });
    }));

  it('says that a session was not ended, and why a new one was not kept', () =>
    withPage(async (page, edge) => {
      await page.route('**/ui/api/session', (route) =>
        route.request().method() === 'DELETE'
          ? route.fulfill({ status: 503, json: { detail: 'Kafka is away.' } })
          : route.continue(),
      );
      await page.goto(`${edge}/ui/control`);
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByRole('alert').getByText('You are still signed in. Kafka is away.').waitFor();
      await page.unroute('**/ui/api/session');
      await page.route('**/ui/api/session', (route) => route.fulfill({ json: null }));
      await page.goto(`${edge}/ui/control`);
      await page.getByLabel('API key', { exact: false }).fill('tt_a_b');
      await page.keyboard.press('Enter');
      await page.getByRole('alert').getByText('only over HTTPS').waitFor();
      assert.deepEqual(await violationsInThemes(page), []);
      assert.equal(await page.title(), 'Sign in · Telltale');
    }));

  it('names what it waits for if that takes more than ten seconds', () =>
    withPage(async (page, edge) => {
      await page.clock.install();
      await page.route('**/ui/api/v1/clusters?*', () => undefined);
      for (const [path, awaited] of [
        ['/', /no answer yet for: Clusters\./],
        ['/clusters', /no answer yet for: the clusters\./],
      ] as const) {
        await page.goto(`${edge}/ui${path}`);
        await page
          .getByRole('heading', { name: /^(?:Looking at everything|Loading the clusters)…$/ })
          .waitFor();
        await page.waitForTimeout(1_000);
        await page.clock.fastForward(16_000);
        await page.getByText(awaited).waitFor();
      }
      await page.goto(`${edge}/ui/results`);
      await settled(page);
      await page.route('**/ui/api/v1/results?*', () => undefined);
      await page.getByLabel('Prompt contains').fill('ferry');
      await page.waitForURL(/q=ferry/);
      await page.clock.fastForward(16_000);
      await page.getByText(/no answer yet for: the results\./).waitFor();
      await page.route('**/ui/api/v1/monitoring/metrics', () => undefined);
      await page.goto(`${edge}/ui/results/score`);
      await page.getByLabel('Prompt', { exact: true }).fill('A ferry.');
      await page.getByRole('button', { name: 'Score it' }).click();
      await page.getByRole('heading', { name: 'Scoring it…' }).waitFor();
      await page.clock.fastForward(16_000);
      await page.getByText(/no answer yet for: the scores\./).waitFor();
    }));

  it('shows the commands that send dead letters back, of a group and of one', () =>
    withPage(async (page, edge) => {
      await page.route('**/ui/api/v1/dead-letters', (route) => route.fulfill({ json: letters }));
      await page.goto(`${edge}/ui/pipeline/dead-letters`);
      await settled(page);
      assert.deepEqual(await cellsOf(page, 'Dead letters by stage and reason', [0, 1, 2, 3, 4]), [
        'events|ROWS_REJECTED|1|0|0',
      ]);
      for (const [table, command] of [
        ['Dead letters by stage and reason', 'replay --stage events --code ROWS_REJECTED --reason'],
        ['Open dead letters', `replay ${letter.id} --reason`],
      ] as const) {
        const rows = page.getByRole('table', { name: table, exact: true });
        await rows.getByText('Commands', { exact: true }).click();
        await rows.getByText(`telltale dead-letters ${command}`).waitFor();
      }
      assert.deepEqual(await violationsInThemes(page), []);
      await page.setViewportSize({ width: 320, height: 640 });
      assert.equal(await page.evaluate<number>('document.documentElement.scrollWidth'), 320);
    }));

  it('sends a dead letter back if the edge allows it, and says why if not', () =>
    withPage(async (page, edge) => {
      await page.route('**/ui/api/v1/dead-letters', (route) => route.fulfill({ json: letters }));
      await page.goto(`${edge}/ui/pipeline/dead-letters`);
      await page.getByRole('button', { name: `Send back ${letter.id}` }).click();
      const dialog = page.getByRole('dialog', { name: 'Send this letter back?' });
      await dialog.getByLabel('What was fixed').fill('a column was added');
      assert.deepEqual(await violationsInThemes(page), []);
      const sendBack = dialog.getByRole('button', { name: 'Send back', exact: true });
      await sendBack.click();
      // This session's workspace is not the installation's.
      await dialog.getByRole('alert').getByText('only an admin of the workspace `default`').waitFor();

      const asked: unknown[] = [];
      await page.route('**/ui/api/v1/dead-letters/replay', (route) => {
        asked.push(route.request().postDataJSON());
        return route.fulfill({ json: { replayed: 1, left: 0, decided_before: [], unknown: [] } });
      });
      await sendBack.click();
      await page.getByRole('status').getByText('1 letter went back.').waitFor();
      await page.getByRole('button', { name: 'Send it back: events ROWS_REJECTED' }).click();
      await dialog.getByRole('button', { name: 'Send back', exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
      assert.deepEqual(asked, [
        { ids: [letter.id], reason: 'a column was added' },
        { stage: 'events', code: 'ROWS_REJECTED' },
      ]);
    }));

  it('keeps the actions of a row in sight on a phone', () =>
    withPage(async (page, edge) => {
      await page.setViewportSize({ width: 390, height: 800 });
      await page.route('**/ui/api/v1/dead-letters', (route) => route.fulfill({ json: letters }));
      for (const [path, names] of [
        ['/pipeline/dead-letters', [/^Send it back: /, /^Send back /]],
        ['/control', [/^Rotate /, /^Revoke /]],
        ['/control/people', [/^End the session of /]],
      ] as const) {
        await page.goto(`${edge}/ui${path}`);
        for (const name of names) {
          const button = page.getByRole('button', { name }).first();
          await button.waitFor();
          const { x = 0, width = 0 } = (await button.boundingBox()) ?? {};
          assert.ok(x > 0 && x + width <= 390, `${path}, ${String(name)}: ${x} to ${x + width}`);
        }
      }
    }));

  it('loads the whole of a long query once it is opened', () =>
    withPage(async (page, edge) => {
      await page.route('**/slow-operations?*', async (route) => {
        const answer = (await (await route.fetch()).json()) as { slow_operations: object[] };
        const [first, ...others] = answer.slow_operations;
        const cut = { ...first, query: `the beginning ${'.'.repeat(1_986)}` };
        await route.fulfill({ json: { ...answer, slow_operations: [cut, ...others] } });
      });
      await page.goto(`${edge}/ui/clusters/${seededCluster}/slow`);
      const row = page
        .getByRole('table', { name: 'Slow operations', exact: true })
        .locator('tbody tr')
        .first();
      await row.getByText('the beginning').click();
      await row.locator('pre').getByText('[redacted]').waitFor();
      assert.equal(await row.locator('pre').getByText('the beginning').count(), 0);
    }));

  it('says which of five reasons explains the lack of slow operations, and draws what is known', () =>
    withPage(async (page, edge) => {
      const note = 'slow logs: not read, as slowlog.enabled is false';
      for (const [search, notes, title, charts] of [
        [false, [], 'No threshold is set, so the cluster logs nothing', 0],
        [null, [], 'Whether thresholds are set could not be read', 0],
        [true, [note], 'Reading slow logs is turned off', 1],
        [true, ['slow logs: no file'], 'No slow operation has arrived, and the agents say why', 1],
        [true, [], 'No slow operation in this range', 1],
      ] as const) {
        const thresholds = { as_of: letter.at, search, indexing: search };
        const json = { thresholds, notes, notice: null, slow_operations: [], next: null };
        await page.unroute('**/slow-operations?*');
        await page.route('**/slow-operations?*', (route) => route.fulfill({ json }));
        await page.goto(`${edge}/ui/clusters/${seededCluster}/slow?from=2020-01-01&to=2020-01-02`);
        await page.getByRole('heading', { name: title }).waitFor();
        await settled(page);
        const drawn = page.locator('figure [role=img]');
        if (charts > 0) await drawn.waitFor();
        assert.equal(await drawn.count(), charts, title);
        for (const chart of await drawn.all())
          assert.match((await chart.getAttribute('aria-label')) ?? '', /not collected from 2020-01-01/);
        assert.deepEqual(await violationsInThemes(page), [], title);
      }
    }));
}
