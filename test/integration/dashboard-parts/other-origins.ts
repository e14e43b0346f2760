import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { read, type Stage } from './stage.js';
import { elsewhere } from './unwatched.js';

interface Keys {
  readonly keys: readonly { readonly name: string }[];
}

const wanted = 'of another page';
/** A form that sends JSON as text. */
const form = (edge: string): string =>
  `<form method="post" enctype="text/plain" action="${edge}/ui/api/v1/keys">
    <input type="hidden" name='{"name":"${wanted}","scopes":["read"],"is":"' value='"}'><button>Send</button></form>`;
const frames = (edge: string): string => `<iframe src="/inner"></iframe><iframe src="${edge}/ui/"></iframe>`;
/** A request that a page may send without a preflight, with the browser's session. */
const request = (edge: string): string => `fetch('${edge}/ui/api/v1/keys', {
  method: 'POST', mode: 'no-cors', credentials: 'include',
  headers: { 'content-type': 'text/plain' }, body: '{"name":"${wanted}","scopes":["read"]}',
})`;
/** A request that needs a preflight. */
const withHeader = (edge: string): string => `fetch('${edge}/ui/api/v1/keys', {
  method: 'POST', credentials: 'include',
  headers: { 'content-type': 'application/json', 'x-telltale-dashboard': '1' },
  body: '{"name":"${wanted}","scopes":["read"]}',
}).then(() => 'sent', () => 'not sent')`;

/** Pages of another port, which shares this host's cookies, and of another site, in the signed-in browser. */
export function otherOrigins(stage: () => Stage): void {
  const withServer = async (work: (port: number) => Promise<void>): Promise<void> => {
    const edge = stage().pipeline.edge.url;
    const bodies: Readonly<Record<string, string>> = { '/inner': '<h1>Inner</h1>', '/form': form(edge) };
    const server = createServer(({ url = '' }, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(bodies[url] ?? frames(edge));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      await work((server.address() as AddressInfo).port);
    } finally {
      server.close();
      server.closeAllConnections();
    }
  };

  it('is refused by the browser in a frame of another origin', () =>
    withServer((port) =>
      elsewhere(stage(), async (page) => {
        const refusal = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'));
        await page.goto(`http://127.0.0.1:${port}/`);
        await refusal;
        const [inner, dashboard] = page.mainFrame().childFrames();
        assert.equal(await inner?.locator('h1').textContent(), 'Inner');
        assert.equal(await dashboard?.locator('#root').count(), 0);
      }),
    ));

  it('accepts nothing that a page of another port or site sends', () =>
    withServer((port) =>
      elsewhere(stage(), async (page, edge) => {
        const answer = () => page.waitForResponse((response) => response.url() === `${edge}/ui/api/v1/keys`);
        for (const host of ['127.0.0.1', 'localhost']) {
          await page.goto(`http://${host}:${port}/form`);
          const refused = answer();
          await page.evaluate(request(edge));
          assert.equal((await refused).status(), 403, `a request of ${host}`);
          assert.equal(await page.evaluate(withHeader(edge)), 'not sent', `a request of ${host}`);
          const refusedForm = answer();
          await page.getByRole('button', { name: 'Send' }).click();
          assert.equal((await refusedForm).status(), 403, `a form of ${host}`);
          // Chromium can hang if a page is left or closed while it is still navigating to another origin.
          await page.waitForURL(`${edge}/ui/api/v1/keys`);
        }
        const { keys } = await read<Keys>(stage(), '/api/v1/keys');
        assert.deepEqual(
          keys.filter(({ name }) => name === wanted),
          [],
        );
      }),
    ));
}
