import assert from 'node:assert/strict';
import { createIdentities } from '../../../agent/identities.js';

describe('which cluster an entry of integration.json leads to', () => {
  const entry = { index: 0, url: 'http://es:9200' };
  const shop = { uuid: 'u1', name: 'shop', version: '8.14.1', major: 8 };
  const { signal } = new AbortController();

  it('comes from the component that offers it, until that withdraws it', async () => {
    const identities = createIdentities();
    assert.equal(await identities.of(entry, signal), null);
    const withdraw = identities.offer(entry, () => Promise.resolve(shop));
    assert.deepEqual(await identities.of(entry, signal), shop);
    assert.equal(await identities.of({ ...entry, index: 1 }, signal), null);
    withdraw();
    assert.equal(await identities.of(entry, signal), null);
  });

  it('is not withdrawn by the component that offered it before', async () => {
    const identities = createIdentities();
    const withdraw = identities.offer(entry, () => Promise.resolve(null));
    identities.offer(entry, () => Promise.resolve(shop));
    withdraw();
    assert.deepEqual(await identities.of(entry, signal), shop);
  });

  it('is not awaited by a caller that stops', async () => {
    const identities = createIdentities();
    identities.offer(entry, () => new Promise(() => undefined));
    const stop = new AbortController();
    const answer = identities.of(entry, stop.signal);
    stop.abort();
    assert.equal(await answer, null);
    assert.equal(await identities.of(entry, stop.signal), null);
  });
});
