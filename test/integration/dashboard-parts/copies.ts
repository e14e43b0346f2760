import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { read, type Stage } from './stage.js';
import { settled } from './visit.js';

interface Otlp {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly { readonly spans: readonly { readonly spanId: string }[] }[];
  }[];
}

/** The texts that a page copies to the clipboard. Starts on the page of a trace. */
export function copies(stage: () => Stage): void {
  const copied = (): Promise<string> =>
    stage().signedIn.page.evaluate<string>('navigator.clipboard.readText()');
  const isSaid = (): Locator =>
    stage().signedIn.page.getByRole('status').getByText('Copied', { exact: true });

  it('copies with a key press the call that reads what the page shows', async () => {
    const { signedIn, pipeline } = stage();
    await signedIn.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await signedIn.page.keyboard.press('c');
    await isSaid().waitFor();
    const command = /^curl -sS '([^']+)' -H "Authorization: Bearer \$TELLTALE_API_KEY"$/.exec(await copied());
    const url = command?.[1] ?? '';
    assert.ok(url.startsWith(`${pipeline.edge.url}/api/v1/traces/`), url);
    const trace = await read<{ spans: readonly object[] }>(stage(), url.slice(pipeline.edge.url.length));
    assert.ok(trace.spans.length > 0);
  });

  it('copies the address of the view with a key press', async () => {
    const { page } = stage().signedIn;
    await page.keyboard.press('y');
    await page.getByText('The address is copied.').waitFor();
    assert.equal(await copied(), page.url());
  });

  it('copies a trace, and one of its spans, as OTLP/JSON', async () => {
    const { page } = stage().signedIn;
    const spansIn = async (button: string): Promise<readonly string[]> => {
      await isSaid().waitFor({ state: 'hidden' });
      await page.getByRole('button', { name: button }).click();
      await isSaid().waitFor();
      const { resourceSpans } = JSON.parse(await copied()) as Otlp;
      return resourceSpans.flatMap(({ scopeSpans }) =>
        scopeSpans.flatMap(({ spans }) => spans.map(({ spanId }) => spanId)),
      );
    };
    await settled(page);
    assert.equal(new Set(await spansIn('Copy as OTLP/JSON')).size, 10_000);
    await page.getByRole('treegrid', { name: 'Spans' }).press('ArrowDown');
    assert.deepEqual(await spansIn('Copy the span as OTLP/JSON'), ['2'.padStart(16, '0')]);
  });
}
