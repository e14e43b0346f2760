import assert from 'node:assert/strict';
import { startEdgeInMemory, type EdgeInMemory } from '../../support/edge-in-memory.js';

/** Verbatim, so that this test notices every added exception. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

describe('the dashboard over HTTP', () => {
  let edge: EdgeInMemory;
  before(async () => {
    edge = await startEdgeInMemory();
  });
  after(() => edge.stop());

  it('answers its page at every view, never cached, under a policy without exceptions', async () => {
    const page = await edge.get('/ui/');
    const text = await page.text();
    assert.equal(page.headers.get('cache-control'), 'no-store');
    assert.equal(page.headers.get('content-security-policy'), policy);
    for (const view of ['/ui/clusters', '/ui/clusters/some-uuid', '/ui/clusters/some-uuid/shards'])
      assert.equal(await (await edge.get(view)).text(), text, view);
  });

  it('is found by its address without the last slash', async () => {
    const { status, headers } = await edge.get('/ui');
    assert.deepEqual([status, headers.get('location')], [308, '/ui/']);
  });

  it('answers what the page loads from the edge alone, compressed and cached for a year', async () => {
    const text = await (await edge.get('/ui/')).text();
    const loaded = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = '']) => address);
    assert.ok(loaded.length >= 3);
    for (const address of loaded) {
      assert.match(address, /^\/ui\/assets\/[\w-]+\.(js|css|svg)$/);
      const file = await edge.get(address, { 'accept-encoding': 'br' });
      await file.arrayBuffer();
      assert.equal(file.status, 200);
      assert.equal(file.headers.get('content-encoding'), 'br');
      assert.equal(file.headers.get('cache-control'), 'public, max-age=31536000, immutable');
    }
  });

  it('answers 404 for a file and for an endpoint that it does not have', async () => {
    for (const path of ['/ui/assets/none.js', '/ui/assets/..%2findex.html', '/ui/api/v1/none'])
      assert.equal((await edge.get(path)).status, 404, path);
  });
});
