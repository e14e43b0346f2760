import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { parseIntegrations } from '../../../agent/integration/config/integrations.js';
import { violationsInThemes } from './axe.js';
import type { Stage } from './stage.js';
import { visit } from './visit.js';

/** The form that generates an integration.json. */
export function integrationForm(stage: () => Stage): void {
  it('writes an integration.json of two clusters, and moves the focus to an invalid field first', async () => {
    const { page } = stage().signedIn;
    await visit(stage(), '/control/integrations');
    const save = page.getByRole('button', { name: 'Download integration.json' });
    await save.press('Enter');
    await page.getByText('Host: give a name or an address alone').waitFor();
    assert.equal(await page.evaluate<unknown>('document.activeElement.labels[0].textContent'), 'Host');

    await page.getByRole('button', { name: 'Add another cluster' }).press('Enter');
    for (const [name, host] of [
      ['Cluster 1', 'es1.example.org'],
      ['Cluster 2', 'es2.example.org'],
    ] as const) {
      const cluster = page.getByRole('group', { name });
      await cluster.getByLabel('Host', { exact: true }).fill(host);
      await cluster.getByLabel('API key', { exact: true }).fill('id:key');
    }
    await page.getByRole('group', { name: 'Cluster 2' }).getByLabel('Check the certificate').uncheck();
    await page.getByRole('group', { name: 'Cluster 2' }).getByLabel('Collect slow operations').check();
    assert.deepEqual(await violationsInThemes(page), []);
    const saved = page.waitForEvent('download');
    await save.press('Enter');
    const { entries } = parseIntegrations(await readFile(await (await saved).path(), 'utf8'));
    assert.deepEqual(
      entries.map(({ url, verifyCertificate, slowlog }) => [url, verifyCertificate, slowlog.enabled]),
      [
        ['https://es1.example.org:9200', true, false],
        ['https://es2.example.org:9200', false, true],
      ],
    );
  });
}
