import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { oidcConfig } from '../../../http-edge/dashboard/oidc/config.js';
import { oidcSignIn } from '../../../http-edge/dashboard/oidc/oidc-sign-in.js';
import { pickFreePort } from '../../../stack/ports.js';
import { openBrowser, watchedPage } from '../../support/browser.js';
import { startEdgeInMemory, type EdgeInMemory } from '../../support/edge-in-memory.js';
import { startProvider, type TestProvider } from '../../support/identity-provider.js';

describe('signing in to the dashboard by OpenID Connect', () => {
  let edge: EdgeInMemory;
  let provider: TestProvider;
  const browsers: Browser[] = [];

  before(async function () {
    if (!(await anotherBrowser())) return this.skip();
    const port = await pickFreePort();
    const redirect = `http://127.0.0.1:${port}/ui/api/oidc/callback`;
    provider = await startProvider(redirect, { ada: ['staff', 'platform'], ben: ['staff'], eve: [] });
    const settings = oidcConfig.parse({
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: provider.client.id,
      OIDC_CLIENT_SECRET: provider.client.secret,
      OIDC_REDIRECT_URL: redirect,
      OIDC_SCOPE: 'openid email groups',
      OIDC_GRANTS: 'platform=admin:acme,staff=viewer:acme',
    });
    edge = await startEdgeInMemory({ config: { EDGE_PORT: port }, signIn: oidcSignIn(settings) });
  });
  after(async () => {
    if (browsers.length === 0) return;
    await Promise.all(browsers.map((browser) => browser.close()));
    await edge.stop();
    await provider.stop();
  });

  /** Starts a browser per person: contexts of one browser share cookies here. False if none is available. */
  async function anotherBrowser(): Promise<boolean> {
    const browser = await openBrowser();
    if (browser !== undefined) browsers.push(browser);
    return browser !== undefined;
  }

  /** Signs in on the provider's own pages; returns the page to which it redirects. */
  async function signedInAs(name: string, at = '/ui/'): Promise<Page> {
    await anotherBrowser();
    const browser = browsers.at(-1);
    assert.ok(browser);
    const { page } = await watchedPage(browser, edge.url);
    // The provider's pages load a font from another host.
    await page.route('https://**', (route) => route.abort());
    await page.goto(`${edge.url}${at}`);
    await page.getByRole('link', { name: `Sign in with ${new URL(provider.issuer).host}` }).click();
    await page.getByPlaceholder('Enter any login').fill(name);
    await page.getByPlaceholder('and password').fill('any');
    await page.getByRole('button', { name: 'Sign-in' }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.waitForURL(`${edge.url}/**`);
    return page;
  }

  it('gives the role and workspace of the first grant whose group a person has', async () => {
    const admin = await signedInAs('ada');
    await admin.getByText('ada@example.org (admin)').waitFor();
    const viewer = await signedInAs('ben', '/ui/results?q=a+ferry&last=7d');
    await viewer.getByText('ben@example.org (viewer)').waitFor();
    assert.equal(viewer.url(), `${edge.url}/ui/results?q=a+ferry&last=7d`, 'the page that was asked for');
    const workspaces = [...edge.ports.sessionRecords.values()].map(({ workspace }) => workspace);
    assert.deepEqual([...new Set(workspaces)], ['acme']);
  });

  it('refuses a person whom no grant names, and says which claim is missing', async () => {
    const page = await signedInAs('eve');
    await page.getByRole('heading', { name: 'Not signed in' }).waitFor();
    await page.getByText('the claim "groups" grants you no access here').waitFor();
  });

  it('refuses an answer to a sign-in that another browser started, and one with a wrong state', async () => {
    const callback = '/ui/api/oidc/callback?code=c&state=s';
    const without = await edge.get(callback);
    assert.equal(without.status, 401);
    assert.match(await without.text(), /This browser has no sign-in in progress/);
    const begun = await edge.get('/ui/api/oidc/sign-in');
    assert.equal(begun.status, 303);
    assert.ok((begun.headers.get('location') ?? '').startsWith(`${provider.issuer}/auth?`));
    const cookie = (begun.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    const forged = await edge.get(callback, { cookie });
    assert.equal(forged.status, 401);
    assert.equal(forged.headers.get('set-cookie')?.startsWith('__Host-sign-in=; Max-Age=0'), true);
  });

  it('redirects nobody while the provider is down, and says so', async () => {
    const settings = oidcConfig.parse({
      OIDC_ISSUER: `http://127.0.0.1:${await pickFreePort()}`,
      OIDC_CLIENT_ID: 'telltale',
      OIDC_REDIRECT_URL: 'http://127.0.0.1:1/ui/api/oidc/callback',
      OIDC_GRANTS: 'staff=viewer:acme',
    });
    const alone = await startEdgeInMemory({ signIn: oidcSignIn(settings) });
    const answer = await alone.get('/ui/api/oidc/sign-in');
    assert.equal(answer.status, 503);
    assert.equal(answer.headers.get('retry-after'), '60');
    assert.match(await answer.text(), /The identity provider 127\.0\.0\.1:\d+ does not answer/);
    await alone.stop();
  });

  it('offers nothing if no provider is configured', async () => {
    const plain = await startEdgeInMemory();
    assert.deepEqual(await (await plain.get('/ui/api/sign-in')).json(), { identity_provider: null });
    assert.equal((await plain.get('/ui/api/oidc/sign-in')).status, 404);
    await plain.stop();
  });
});
