import assert from 'node:assert/strict';
import { seededCluster } from '../../../bench/screenshots/seed-cluster.js';
import type { Stage } from './stage.js';
import { settled } from './visit.js';

const mostTabs = 120;
/** Several rounds, because some faults appear only when a list is refreshed at a certain moment. */
const rounds = 5;

/** Uses the dashboard without a pointing device: every step is a key press. Starts signed out. */
export function keyboardWalk(stage: () => Stage): void {
  const press = (key: string): Promise<void> => stage().signedIn.page.keyboard.press(key);
  const focused = (): Promise<string> =>
    stage().signedIn.page.evaluate<string>(
      '(document.activeElement?.ariaLabel ?? document.activeElement?.textContent ?? "").trim()',
    );
  const tabTo = async (name: string | RegExp): Promise<void> => {
    const seen: string[] = [];
    for (let tabs = 0; tabs < mostTabs; tabs += 1) {
      await press('Tab');
      const text = await focused();
      if (typeof name === 'string' ? text === name : name.test(text)) return;
      seen.push(text.slice(0, 40));
    }
    assert.fail(`Tab never came to ${String(name)}: ${seen.join(' | ')}`);
  };
  const openBy = async (name: string | RegExp): Promise<void> => {
    await tabTo(name);
    await press('Enter');
  };

  it('lets the keyboard alone sign in, and find the red cluster, its reason and its unassigned shard', async () => {
    const { pipeline, signedIn } = stage();
    const { page } = signedIn;
    await page.getByLabel('API key', { exact: false }).waitFor();
    await press('Tab');
    await page.keyboard.type(pipeline.key);
    await press('Enter');
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
    await press('g');
    await press('h');
    await page.getByText('Cluster bookshop').waitFor();
    await openBy('Each reason, and what to do');
    await page.getByText('primaries_unassigned', { exact: true }).waitFor();
    await openBy('Shards');
    await page.getByRole('row', { name: /reviews \[0\] primary unassigned/ }).waitFor();
  });

  it('lets the keyboard alone open a row of a list, and go on to the next one', async () => {
    const { page } = stage().signedIn;
    for (let round = 0; round < rounds; round += 1) {
      await press('g');
      await press('r');
      await page.getByRole('table', { name: 'Results' }).getByRole('link').nth(1).waitFor();
      await press('j');
      await press('Enter');
      await page.getByRole('link', { name: 'Next' }).waitFor();
      const first = page.url();
      await press(']');
      await page.getByRole('link', { name: 'Previous' }).waitFor();
      assert.notEqual(page.url(), first);
      await press('[');
      await page.getByText('the first of its page').waitFor();
      assert.equal(page.url(), first);
    }
    await press('g');
    await press('r');
    await page.getByRole('table', { name: 'Results' }).getByRole('link').nth(99).press('Enter');
    await page.getByRole('link', { name: 'Next page of the list' }).waitFor();
    await press(']');
    await page.waitForURL(/\/results\?.*cursor=/);
    await page.getByRole('button', { name: 'First page' }).waitFor();
  });

  it('opens a row, freezes the range and finds an id by keyboard shortcuts, and keeps the range throughout', async () => {
    const { page } = stage().signedIn;
    await page.goto(`${page.url().split('/ui')[0] ?? ''}/ui/control?last=7d`);
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
    await press('g');
    await press('r');
    await page.getByRole('table', { name: 'Results' }).getByRole('link').nth(1).waitFor();
    assert.match(page.url(), /\/results\?last=7d$/);
    await press('.');
    await page.getByRole('button', { name: 'Follow the clock again' }).waitFor();
    await press('.');
    await page.getByRole('button', { name: 'Freeze' }).waitFor();
    assert.match(page.url(), /\/results\?last=7d$/);
    await press('j');
    await press('o');
    await page.getByRole('link', { name: 'Next' }).waitFor();
    assert.match(page.url(), /\/results\/[0-9a-f-]{36}\?last=7d$/);
    await press('/');
    await page.keyboard.type('no-such-id');
    await press('Enter');
    await page.getByLabel('Id', { exact: true }).waitFor();
    assert.equal(await page.getByLabel('Id', { exact: true }).inputValue(), 'no-such-id');
    assert.match(page.url(), /\/pipeline\/find\?id=no-such-id&last=7d$/);
  });

  it('expands the details of a row by keyboard shortcuts', async () => {
    const { page } = stage().signedIn;
    await page.goto(`${page.url().split('/ui')[0] ?? ''}/ui/clusters/${seededCluster}/slow?last=7d`);
    await page.getByRole('table', { name: 'Slow operations', exact: true }).waitFor();
    // The query shapes load later, and are the first rows of the page.
    await settled(page);
    await press('j');
    await press('o');
    await page.locator('main tbody details[open]').waitFor();
  });

  it('lets the keyboard alone make and revoke a key', async () => {
    const { page } = stage().signedIn;
    await press('g');
    await press('k');
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
    await openBy('New key');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('walked');
    await press('Enter');
    await page.locator('[data-key]').waitFor();
    await openBy('I have copied it');
    await page.getByRole('row', { name: /walked.*active/ }).waitFor();
    await openBy('Revoke walked');
    await page.getByRole('dialog').waitFor();
    await openBy('Revoke');
    await page.getByRole('row', { name: /walked.*revoked/ }).waitFor();
  });
}
